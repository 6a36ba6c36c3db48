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
    use image::ImageEncoder;

    use super::*;

    /// A picture whose left half is red and whose right half is blue.
    fn halves(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(
            width,
            height,
            |x, _| if x < width / 2 { Rgb([250, 5, 5]) } else { Rgb([5, 5, 250]) },
        )
    }

    fn jpeg(picture: &RgbImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, 95).encode_image(picture).expect("a JPEG");
        bytes
    }

    /// A JPEG with an EXIF segment of three texts and an orientation, as cameras write it.
    fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
        let texts: [(u16, &[u8]); 3] =
            [(0x013b, b"Ada Canary\0"), (0x0131, b"Canary Studio 7\0"), (0x9003, b"2026:02:01 10:00:00\0")];
        let mut tiff = b"II*\0\x08\0\0\0".to_vec();
        // In the main directory: the orientation, the artist, the software, and where the EXIF directory is.
        let entry = |tag: u16, kind: u16, count: u32, value: u32| {
            let mut bytes = tag.to_le_bytes().to_vec();
            bytes.extend(kind.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            bytes.extend(value.to_le_bytes());
            bytes
        };
        let main_end = 8 + 2 + 4 * 12 + 4;
        let exif_end = main_end + 2 + 12 + 4;
        let starts = [exif_end, exif_end + texts[0].1.len(), exif_end + texts[0].1.len() + texts[1].1.len()];
        let text = |index: usize| {
            let (tag, text) = texts[index];
            entry(tag, 2, text.len() as u32, starts[index] as u32)
        };
        tiff.extend(4u16.to_le_bytes());
        tiff.extend(entry(0x0112, 3, 1, u32::from(orientation)));
        tiff.extend(text(1));
        tiff.extend(text(0));
        tiff.extend(entry(0x8769, 4, 1, main_end as u32));
        tiff.extend([0; 4]);
        tiff.extend(1u16.to_le_bytes());
        tiff.extend(text(2));
        tiff.extend([0; 4]);
        texts.iter().for_each(|(_, text)| tiff.extend(*text));
        let mut whole = jpeg[..2].to_vec();
        whole.extend([0xff, 0xe1]);
        whole.extend(((2 + 6 + tiff.len()) as u16).to_be_bytes());
        whole.extend(b"Exif\0\0");
        whole.extend(tiff);
        whole.extend(&jpeg[2..]);
        whole
    }

    fn reason(file: &[u8]) -> String {
        match read(file, 0).err().expect("refused") {
            Error::Unsupported(_) => "not a photo".into(),
            Error::Invalid(errors) => errors["slot"].clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_photo_is_upright_small_enough_and_has_no_metadata() {
        let file = with_exif(&jpeg(&halves(3000, 1500)), 6);
        let photo = read(&file, 3000).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((photo.full.width, photo.full.height), (1280, 2560));
        assert_eq!((photo.thumbnail.width, photo.thumbnail.height), (320, 640));
        assert_eq!(photo.software.as_deref(), Some("Canary Studio 7"));
        assert_eq!(photo.taken_at.as_deref(), Some("2026-02-01 10:00:00"));
        for picture in [&photo.full, &photo.thumbnail] {
            let lossy = String::from_utf8_lossy(&picture.bytes);
            assert!(!lossy.contains("Canary") && !lossy.contains("Exif") && !lossy.contains("2026"));
            let pixels = image::load_from_memory(&picture.bytes).expect("a JPEG").into_rgb8();
            // Turned by a quarter to the right, what was on the left is above.
            let [above, below] = [pixels.get_pixel(10, 10), pixels.get_pixel(10, picture.height - 10)];
            assert!(above.0[0] > 200 && below.0[2] > 200, "{above:?} {below:?}");
        }
    }

    #[test]
    fn a_small_photo_is_not_enlarged_and_transparency_becomes_white() {
        let picture = image::RgbaImage::from_pixel(300, 200, image::Rgba([0, 0, 0, 0]));
        let mut png = Vec::new();
        image::codecs::png::PngEncoder::new(&mut png)
            .write_image(picture.as_raw(), 300, 200, image::ExtendedColorType::Rgba8)
            .expect("a PNG");
        let photo = read(&png, 0).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((photo.full.width, photo.full.height), (300, 200));
        let pixels = image::load_from_memory(&photo.full.bytes).expect("a JPEG").into_rgb8();
        assert_eq!(pixels.get_pixel(0, 0).0, [255, 255, 255]);
    }

    #[test]
    fn what_is_no_photo_is_damaged_or_too_large_is_refused() {
        let whole = jpeg(&halves(400, 300));
        assert!(reason(&whole[..whole.len() / 2]).contains("incomplete"));
        assert!(read(&whole, 401).err().expect("refused").to_string().contains("longer side has 400"));
        for other in [
            &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
            b"%PDF-1.7",
            b"GIF89a",
            b"\0\0\0\x18ftypheic",
            b"",
            b"\xff",
        ] {
            assert_eq!(reason(other), "not a photo", "{other:?}");
        }
        // Phones append a film, whose bytes may look like the start of a scan.
        let mut with_film = whole.clone();
        with_film.extend([0xff, 0xda, 0x00, 0x08, 0x01, 0xff, 0xda]);
        assert!(read(&with_film, 0).is_ok());
        // A script behind the picture does not come along.
        let mut with_script = whole.clone();
        with_script.extend(b"<script>canary()</script>");
        let photo = read(&with_script, 0).unwrap_or_else(|error| panic!("{error}"));
        assert!(!String::from_utf8_lossy(&photo.full.bytes).contains("canary"));
    }
}
