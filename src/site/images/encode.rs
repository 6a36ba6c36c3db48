//! Decodes an uploaded picture and encodes the sizes that are served. Every size is encoded from the pixels, so that
//! no metadata of the file is kept except its colour profile.
//!
//! Left out on purpose: SVG, which can contain scripts, and GIF, which PNG replaces.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits};

use crate::error::{Error, Result};
use crate::store::images::Size;

/// The largest accepted file, in bytes.
pub const LARGEST: usize = 15_000_000;
/// More pixels than any phone's photo has. A small file can decompress to far more.
const MOST_PIXELS: u64 = 64_000_000;
/// In pixels.
const LONGEST_SIDE: u32 = 16_000;
/// The most memory for the decoded pixels, in bytes: 64 million pixels of four channels with 8 bits.
const MOST_PIXEL_BYTES: u64 = 256_000_000;
/// The most memory that a PNG decoder may use besides the pixels, in bytes: the longest chunk, in a buffer that doubles,
/// and its text. A compressed colour profile that decompresses to more is ignored.
const METADATA_BYTES: u64 = 3 * LARGEST as u64;
/// In pixels: a phone, a phone with a high-resolution screen, a desktop.
const WIDTHS: [u32; 3] = [480, 960, 1600];
/// Of 100. In photos no difference from 95 is visible, and the files are a third of the size.
const JPEG_QUALITY: u8 = 82;
/// In bytes. The colour profiles of cameras and screens are far smaller.
const LARGEST_PROFILE: usize = 16_384;

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
    if file.len() > LARGEST {
        return Err(refused(&format!("it is larger than {} MB", LARGEST / 1_000_000)));
    }
    let (picture, profile) = decode(file)?;
    // Each step consumes the previous picture, so that at most two copies of the pixels are in memory.
    let picture = if picture.color().has_alpha() { picture.into_rgba8().into() } else { picture };
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
        sizes.push(Size { width, height, bytes: encoded(&source, is_transparent, profile.as_deref())? });
    }
    sizes.reverse();
    Ok(Encoded { content_type: if is_transparent { "image/png" } else { "image/jpeg" }, sizes })
}

/// The pixels, rotated upright, and their colour profile.
fn decode(file: &[u8]) -> Result<(DynamicImage, Option<Vec<u8>>)> {
    let format = match image::guess_format(file) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        _ => return Err(refused("its format is not supported")),
    };
    if format == ImageFormat::Jpeg && !is_complete_jpeg(file) {
        return Err(refused("the file is incomplete"));
    }
    let unreadable = |error: image::ImageError| {
        // The library's message may have several lines.
        let message: Vec<String> = error.to_string().split_whitespace().map(str::to_owned).collect();
        refused(&format!("it cannot be read ({})", message.join(" ")))
    };
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(METADATA_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(refused(&format!("it has {width} x {height} pixels, which is too many")));
    }
    if decoder.total_bytes() > MOST_PIXEL_BYTES {
        return Err(refused(
            "it is too large for a picture with 16 bits per colour; save it with 8 bits per colour",
        ));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_for_rgb(profile));
    let mut picture = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    picture.apply_orientation(orientation);
    let profile = profile.filter(|_| picture.color().has_color());
    Ok((picture, profile))
}

/// Whether the end marker follows the last scan (ITU-T T.81, B.1.1.3: FF DA starts a scan, FF D9 ends the picture, and
/// neither occurs inside a scan). The library would fill the missing part with grey.
fn is_complete_jpeg(file: &[u8]) -> bool {
    let marker = |code: u8| move |pair: &[u8]| pair == [0xff, code];
    let scan = file.windows(2).rposition(marker(0xda));
    scan.is_some_and(|scan| file[scan..].windows(2).any(marker(0xd9)))
}

/// Bytes 16 to 19 of a profile are its colour space (ICC.1:2022, 7.2.6).
fn is_for_rgb(profile: &[u8]) -> bool {
    profile.len() <= LARGEST_PROFILE && profile.get(16..20) == Some(b"RGB ")
}

fn has_transparency(picture: &DynamicImage) -> bool {
    picture.as_rgba8().is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX))
}

fn scaled(height: u32, width: u32, full_width: u32) -> u32 {
    let scaled = (u64::from(height) * u64::from(width) + u64::from(full_width) / 2) / u64::from(full_width);
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

fn encoded(picture: &DynamicImage, is_transparent: bool, profile: Option<&[u8]>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_transparent {
        write_to(PngEncoder::new(&mut bytes), picture, profile)?;
    } else {
        write_to(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY), picture, profile)?;
    }
    Ok(bytes)
}

fn write_to(mut encoder: impl ImageEncoder, picture: &DynamicImage, profile: Option<&[u8]>) -> Result<()> {
    let failed = |error: String| Error::Internal(format!("encoding a picture: {error}"));
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile.to_vec()).map_err(|error| failed(error.to_string()))?;
    }
    picture.write_with_encoder(encoder).map_err(|error| failed(error.to_string()))
}

fn refused(reason: &str) -> Error {
    Error::Failed(format!(
        "This picture cannot be used: {reason}. Use a JPEG, PNG or WebP file of at most {} MB.",
        LARGEST / 1_000_000
    ))
}

#[cfg(test)]
mod tests;
