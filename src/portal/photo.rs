//! Converts an uploaded photo to the JPEGs that judges see: upright, in sRGB, at 2560 and 640 pixels.

use exif::{In, Tag};
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, Rgb, RgbImage};
use sha2::{Digest, Sha256};

use super::image_hash::image_hash;
use crate::error::{Error, Result};
use crate::pictures;

/// The largest file that is taken, in bytes.
pub const MAX_BYTES: u64 = 25_000_000;
/// The longer side, in pixels.
const FULL: u32 = 2560;
const THUMBNAIL: u32 = 640;
/// Of 100. At 2560 pixels a detailed photo then takes about a megabyte.
const JPEG_QUALITY: u8 = 85;
/// The longest text that is kept of the metadata, in characters.
const MAX_TEXT_LENGTH: usize = 100;

/// A photo ready to be stored.
pub struct Photo {
    pub full: Picture,
    pub thumbnail: Picture,
    /// When the camera says that it was taken, and the software that wrote the file; for the organiser only.
    pub taken_at: Option<String>,
    pub software: Option<String>,
    /// The perceptual hash.
    pub image_hash: i64,
}

/// A JPEG.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
    pub sha256: String,
}

impl Picture {
    pub(super) fn new(picture: &RgbImage) -> Result<Picture> {
        let mut bytes = Vec::new();
        picture
            .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))
            .map_err(|error| Error::Internal(format!("encoding a photo: {error}")))?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        Ok(Picture { width: picture.width(), height: picture.height(), bytes, sha256 })
    }
}

/// Reads an uploaded file. The photo's longer side must have `min_pixels`.
///
/// # Errors
/// [`Error::Unsupported`]: the bytes are no picture in an accepted format. [`Error::Invalid`] on `slot`, with the reason why
/// this picture is refused.
pub fn read(file: &[u8], min_pixels: u32) -> Result<Photo> {
    let mut decoded = pictures::decode(file).map_err(|error| match error {
        Error::Failed(sentence) => Error::field("slot", &sentence),
        other => other,
    })?;
    let longer_side = decoded.pixels.width().max(decoded.pixels.height());
    if longer_side < min_pixels {
        let reason = format!(
            "The photo is too small: its longer side has {longer_side} pixels, and {min_pixels} are needed."
        );
        return Err(Error::field("slot", &reason));
    }
    let (taken_at, software) = decoded.exif.take().map(exif_facts).unwrap_or_default();
    // It is resized first, so that turning it and converting its colours needs little memory.
    decoded.pixels = resized(opaque(decoded.pixels), FULL)?.into();
    let full = decoded.finish().into_rgb8();
    let thumbnail = resized(full.clone(), THUMBNAIL)?;
    let image_hash = image_hash(&DynamicImage::from(thumbnail.clone()));
    Ok(Photo {
        full: Picture::new(&full)?,
        thumbnail: Picture::new(&thumbnail)?,
        taken_at,
        software,
        image_hash,
    })
}

/// Replaces transparency by white.
fn opaque(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let pixels = picture.into_rgba8();
    let mut flat = RgbImage::new(pixels.width(), pixels.height());
    for (target, source) in flat.pixels_mut().zip(pixels.pixels()) {
        let [red, green, blue, alpha] = source.0.map(u16::from);
        let over_white = |value: u16| ((value * alpha + 255 * (255 - alpha)) / 255) as u8;
        *target = Rgb([over_white(red), over_white(green), over_white(blue)]);
    }
    flat
}

/// Resizes a picture to at most `longest` pixels on its longer side.
fn resized(picture: RgbImage, longest: u32) -> Result<RgbImage> {
    let (width, height) = picture.dimensions();
    let before = width.max(height);
    if before <= longest {
        return Ok(picture);
    }
    let side = |side: u32| (side * longest).div_ceil(before);
    let mut small = RgbImage::new(side(width), side(height));
    // The `image` crate's own filter needs sixteen bytes for each pixel of its rows, this one three.
    let mut resize = || -> std::result::Result<(), Box<dyn std::error::Error>> {
        let source = TypedImageRef::<U8x3>::from_buffer(width, height, &picture)?;
        let mut target = TypedImage::<U8x3>::from_buffer(small.width(), small.height(), &mut small)?;
        let lanczos = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        Ok(Resizer::new().resize_typed(&source, &mut target, &lanczos)?)
    };
    resize().map_err(|error| Error::Internal(format!("making a photo smaller: {error}")))?;
    Ok(small)
}

/// The time at which the photo was taken, and the software, from its EXIF.
fn exif_facts(exif: Vec<u8>) -> (Option<String>, Option<String>) {
    let Ok(exif) = exif::Reader::new().read_raw(exif) else { return (None, None) };
    let text = |tag: Tag| {
        let value = exif.get_field(tag, In::PRIMARY)?.display_value().to_string();
        let plain: String =
            value.chars().filter(|c| !c.is_control() && *c != '"').take(MAX_TEXT_LENGTH).collect();
        Some(plain.trim().to_owned()).filter(|text| !text.is_empty())
    };
    (text(Tag::DateTimeOriginal), text(Tag::Software))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_made_smaller_and_never_larger_and_a_small_one_is_refused() {
        let read = |width, height, min_pixels| {
            let mut bytes = Vec::new();
            JpegEncoder::new(&mut bytes).encode_image(&RgbImage::new(width, height)).expect("a JPEG");
            read(&bytes, min_pixels)
        };
        let photo = read(3000, 1500, 3000).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((photo.full.width, photo.full.height), (2560, 1280));
        assert_eq!((photo.thumbnail.width, photo.thumbnail.height), (640, 320));
        let small = read(400, 300, 0).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((small.full.width, small.thumbnail.height), (400, 300));
        assert!(read(400, 300, 401).err().expect("refused").to_string().contains("longer side has 400"));
    }
}
