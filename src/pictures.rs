//! Decodes the pictures that people send: the photos of competitors and those of the organiser. What is taken over are
//! pixels, upright and in sRGB, so that nothing else of the file can reach anybody: no text, name, place or colour profile.
//!
//! Left out on purpose: SVG, which can contain scripts, and GIF, which PNG replaces.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};
use moxcms::{CicpProfile, ColorProfile, DataColorSpace, Layout, MatrixCoefficients, TransformOptions};

use crate::error::{Error, Result};

const MAX_PIXELS: u64 = 50_000_000;
/// In pixels.
const MAX_SIDE: u32 = 20_000;
/// The most memory for the decoded pixels, in bytes: 50 million of four channels with 8 bits.
const MAX_PIXEL_BYTES: u64 = 4 * MAX_PIXELS;
/// The most memory that a decoder may use besides the pixels, in bytes: a text of 15 MB, in a buffer that doubles, and its
/// copy. A compressed colour profile that decompresses to more is ignored.
const METADATA_BYTES: u64 = 50_000_000;
/// The kinds of HEIC, by the name that follows `ftyp` (ISO/IEC 23008-12, annex B).
const HEIC: [&[u8]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];
/// Decoding a HEIC takes eight bytes for each pixel (measured: 99 MB for 12 megapixels, 264 MB for 33), a JPEG four.
const MAX_HEIC_PIXELS: u64 = 36_000_000;
/// How to get a JPEG from a HEIC. The same words are in `ui/src/lib/heic.ts`.
const HEIC_ADVICE: &str = "This HEIC photo cannot be read here. Please send it from the iPhone itself, which converts it, or save it as a JPEG. For the next photos, choose Settings, Camera, Formats: Most Compatible on the iPhone.";

pub struct Decoded {
    /// As the file has them: neither upright nor in sRGB yet.
    pub pixels: DynamicImage,
    pub exif: Option<Vec<u8>>,
    orientation: Orientation,
    profile: Option<ColorProfile>,
}

/// Decodes a JPEG, PNG, WebP or HEIC. An error's sentence says what to do.
///
/// # Errors
/// [`Error::Unsupported`]: the bytes are no such picture. [`Error::Failed`]: this one cannot be read.
pub fn decode(file: &[u8]) -> Result<Decoded> {
    if is_heic(file) {
        return decode_heic(file);
    }
    let format = match image::guess_format(file) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => format,
        _ => return Err(Error::Unsupported(advice_for_other(file).into())),
    };
    if format == ImageFormat::Jpeg && !is_complete_jpeg(file) {
        return Err(refused("The file is incomplete. Please send it again."));
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(METADATA_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(too_many_pixels());
    }
    if decoder.total_bytes() > MAX_PIXEL_BYTES {
        return Err(refused(
            "The picture is too large with more than 8 bits for each color. Please save it as a JPEG, or make it smaller.",
        ));
    }
    let exif = decoder.exif_metadata().ok().flatten().map(without_prefix);
    let orientation = exif.as_deref().and_then(Orientation::from_exif_chunk);
    let profile = decoder.icc_profile().ok().flatten();
    let profile = profile.and_then(|profile| ColorProfile::new_from_slice(&profile).ok());
    // The code points of a PNG take precedence (PNG specification, 4.3).
    let by_code_points = if format == ImageFormat::Png { profile_by_code_points(file) } else { None };
    let profile = by_code_points.or(profile);
    let pixels = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    Ok(Decoded {
        exif,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
        profile: profile
            .filter(|profile| profile.color_space == DataColorSpace::Rgb && pixels.color().has_color()),
        pixels,
    })
}

impl Decoded {
    /// The pixels upright, in sRGB, with 8 bits for each colour.
    pub fn finish(self) -> DynamicImage {
        let has_alpha = self.pixels.color().has_alpha();
        let mut pixels: DynamicImage =
            if has_alpha { self.pixels.into_rgba8().into() } else { self.pixels.into_rgb8().into() };
        pixels.apply_orientation(self.orientation);
        if let Some(profile) = &self.profile {
            convert_to_srgb(&mut pixels, profile);
        }
        pixels
    }
}

fn is_heic(file: &[u8]) -> bool {
    matches!(file, [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] if HEIC.iter().any(|heic| brand.starts_with(heic)))
}

/// The decoder turns the picture upright and converts it to sRGB itself, by what the container says; the metadata's
/// orientation does not count in a HEIC (ISO/IEC 23008-12, A.2.1).
fn decode_heic(file: &[u8]) -> Result<Decoded> {
    let options = heifer::Options { max_threads: 1, max_pixels: MAX_HEIC_PIXELS };
    let picture = heifer::decode_srgb_rgba8(file, &options).map_err(|error| {
        tracing::debug!("a HEIC cannot be read: {error}");
        Error::Unsupported(HEIC_ADVICE.into())
    })?;
    if picture.width.max(picture.height) > MAX_SIDE {
        return Err(too_many_pixels());
    }
    let exif = heifer::read_metadata(file).ok().and_then(|metadata| metadata.exif);
    let has_alpha = picture.has_alpha;
    let pixels = RgbaImage::from_raw(picture.width, picture.height, picture.data)
        .ok_or_else(|| Error::Internal("a HEIC with another number of pixels".into()))?;
    let pixels: DynamicImage = pixels.into();
    Ok(Decoded {
        exif: exif.map(without_prefix),
        orientation: Orientation::NoTransforms,
        profile: None,
        pixels: if has_alpha { pixels } else { pixels.into_rgb8().into() },
    })
}

fn advice_for_other(file: &[u8]) -> &'static str {
    match file {
        [] => {
            "The file is empty. Please open the photo on your device, so that it is loaded, and choose it again."
        }
        _ => "This is not a photo that we can read. Please choose a JPEG, PNG or WebP file.",
    }
}

/// Whether a JPEG reaches its end marker (ITU-T T.81, B.1.1). The library would fill a missing part with grey. Segments
/// are walked from the start, since phones append films and further pictures, whose bytes may look like markers.
fn is_complete_jpeg(file: &[u8]) -> bool {
    // A pair that belongs to the compressed data: a stuffed byte, a fill byte or a restart.
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff);
    let mut rest = file.get(2..).unwrap_or_default();
    while let Some(at) = rest.windows(2).position(is_marker) {
        let code = rest[at + 1];
        rest = &rest[at + 2..];
        if code == 0xd9 {
            return true;
        }
        let length = rest.first_chunk().map_or(0, |bytes| usize::from(u16::from_be_bytes(*bytes)));
        let Some(after) = rest.get(length..) else { return false };
        rest = after;
    }
    false
}

/// Some programs write a JPEG's prefix into WebP and PNG as well, and the library does not expect it there.
fn without_prefix(exif: Vec<u8>) -> Vec<u8> {
    exif.strip_prefix(b"Exif\0\0").map(<[u8]>::to_vec).unwrap_or(exif)
}

/// The colours of a PNG that names them by number (PNG specification, 11.3.2.6), which `image` does not tell.
fn profile_by_code_points(png: &[u8]) -> Option<ColorProfile> {
    let mut rest = png.get(8..)?;
    loop {
        let (length, after) = rest.split_first_chunk()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        match (kind, data) {
            // PQ and HLG (high dynamic range) are not converted: a screen's white would become a dark grey.
            (b"cICP", [_, 16 | 18, ..]) => return None,
            (b"cICP", [primaries, transfer, ..]) => {
                let color_primaries = (*primaries).try_into().ok()?;
                let transfer_characteristics = (*transfer).try_into().ok()?;
                let matrix_coefficients = MatrixCoefficients::Identity;
                let profile = CicpProfile {
                    color_primaries,
                    transfer_characteristics,
                    matrix_coefficients,
                    full_range: true,
                };
                return Some(ColorProfile::new_from_cicp(profile));
            }
            (b"IDAT", _) => return None,
            // The checksum has four bytes.
            _ => rest = after.get(4..)?,
        }
    }
}

fn convert_to_srgb(pixels: &mut DynamicImage, profile: &ColorProfile) {
    let (layout, bytes) = if pixels.color().has_alpha() { (Layout::Rgba, 4) } else { (Layout::Rgb, 3) };
    let row = pixels.width() as usize * bytes;
    let transform =
        profile.create_transform_8bit(layout, &ColorProfile::new_srgb(), layout, TransformOptions::default());
    // A profile that cannot be used is ignored.
    let Ok(transform) = transform else { return };
    let samples: &mut [u8] = match pixels {
        DynamicImage::ImageRgb8(pixels) => pixels,
        DynamicImage::ImageRgba8(pixels) => pixels,
        _ => return,
    };
    let mut converted = vec![0; row];
    for line in samples.chunks_exact_mut(row) {
        if transform.transform(line, &mut converted).is_ok() {
            line.copy_from_slice(&converted);
        }
    }
}

fn unreadable(error: ImageError) -> Error {
    tracing::debug!("a picture cannot be read: {error}");
    match error {
        ImageError::Limits(_) => too_many_pixels(),
        _ => refused(
            "The file is damaged and cannot be read. Please send it again, or save the picture as a JPEG.",
        ),
    }
}

fn too_many_pixels() -> Error {
    refused(
        "The picture is too large. It can have at most 50 megapixels, and 20,000 pixels on a side. Please make it smaller.",
    )
}

fn refused(sentence: &str) -> Error {
    Error::Failed(sentence.into())
}

#[cfg(test)]
mod tests;
