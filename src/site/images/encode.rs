//! Encodes the sizes of an uploaded picture that are served.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageEncoder};

use crate::error::{Error, Result};
use crate::pictures;
use crate::store::images::Size;

/// The largest accepted file, in bytes.
pub const MAX_BYTES: usize = 15_000_000;
/// In pixels: a phone, a phone with a high-resolution screen, a desktop.
const WIDTHS: [u32; 3] = [480, 960, 1600];
/// Of 100. In photos no difference from 95 is visible, and the files are a third of the size.
const JPEG_QUALITY: u8 = 82;

/// A picture ready to be stored.
pub struct Encoded {
    pub content_type: &'static str,
    /// The narrowest first.
    pub sizes: Vec<Size>,
}

/// Encodes a picture in its sizes, none wider than the picture itself: as JPEG, or as PNG if it is transparent.
///
/// # Errors
/// [`Error::Failed`] with the reason why the file cannot be used.
pub fn encode(file: &[u8]) -> Result<Encoded> {
    // Each step consumes the previous picture, so that at most two copies of the pixels are in memory.
    let picture = pictures::decode(file).map_err(|error| refused(&error.to_string()))?.finish();
    let is_transparent = has_transparency(&picture);
    let picture = if is_transparent { picture } else { DynamicImage::from(picture.into_rgb8()) };
    let full = picture.width();
    let mut widths: Vec<u32> = WIDTHS.into_iter().filter(|width| *width < full).collect();
    widths.push(full.min(WIDTHS[WIDTHS.len() - 1]));
    widths.dedup();
    let mut sizes = Vec::new();
    let mut source = picture;
    // The widest first: each size is resized from the next wider one.
    for width in widths.into_iter().rev() {
        let height = scaled(source.height(), width, source.width());
        source = source.resize_exact(width, height, FilterType::Lanczos3);
        sizes.push(Size { width, height, bytes: encoded(&source, is_transparent)? });
    }
    sizes.reverse();
    Ok(Encoded { content_type: if is_transparent { "image/png" } else { "image/jpeg" }, sizes })
}

fn has_transparency(picture: &DynamicImage) -> bool {
    picture.as_rgba8().is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX))
}

fn scaled(height: u32, width: u32, full_width: u32) -> u32 {
    let scaled = (u64::from(height) * u64::from(width) + u64::from(full_width) / 2) / u64::from(full_width);
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

fn encoded(picture: &DynamicImage, is_transparent: bool) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_transparent {
        write_to(PngEncoder::new(&mut bytes), picture)?;
    } else {
        write_to(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY), picture)?;
    }
    Ok(bytes)
}

fn write_to(encoder: impl ImageEncoder, picture: &DynamicImage) -> Result<()> {
    let failed = |error: image::ImageError| Error::Internal(format!("encoding a picture: {error}"));
    picture.write_with_encoder(encoder).map_err(failed)
}

fn refused(sentence: &str) -> Error {
    Error::Failed(format!("This picture cannot be used. {sentence}"))
}

#[cfg(test)]
mod tests;
