use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::codecs::png::{PngDecoder, PngEncoder};
use image::{ImageDecoder, RgbImage};

use super::*;

fn photo(width: u32, height: u32) -> DynamicImage {
    RgbImage::new(width, height).into()
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut bytes)).expect("a PNG");
    bytes
}

fn reason(file: &[u8]) -> String {
    decode(file).err().expect("refused").to_string()
}

/// A PNG whose header has wrong dimensions and a wrong number of bits per colour.
fn with_header(png: &[u8], width: u32, height: u32, bits: u8) -> Vec<u8> {
    let mut png = png.to_vec();
    // Length, "IHDR", width, height, bits, and a checksum of all but the length.
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png[24] = bits;
    let mut sum = flate2::Crc::new();
    sum.update(&png[12..29]);
    png[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    png
}

#[test]
fn a_small_file_with_too_many_pixels_is_refused_before_it_is_decoded() {
    let huge = png(&DynamicImage::from(image::GrayImage::new(9_000, 9_000)));
    assert!(huge.len() < 1_000_000, "{} bytes", huge.len());
    assert!(reason(&huge).contains("at most 50 megapixels"), "{}", reason(&huge));
    for (width, height) in [(15_000_u32, 15_000_u32), (100_000, 4), (u32::MAX, u32::MAX)] {
        let bomb = with_header(&png(&photo(8, 8)), width, height, 8);
        let started = std::time::Instant::now();
        let message = reason(&bomb);
        assert!(message.contains("at most 50 megapixels"), "{message}");
        assert!(started.elapsed().as_millis() < 500, "{width} x {height} took {:?}", started.elapsed());
    }
}

/// The PNG with a chunk inserted before its pixels.
fn with_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    // The signature and the header have 33 bytes.
    let (start, rest) = png.split_at(33);
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let length = u32::try_from(data.len()).expect("a length").to_be_bytes();
    [start, &length, kind, data, &sum.sum().to_be_bytes(), rest].concat()
}

/// The data of an iCCP chunk with a profile of `length` zeros.
fn profile_of_zeros(length: u64) -> Vec<u8> {
    let zeros = std::io::Read::take(std::io::repeat(0), length);
    let mut data = b"profile\0\0".to_vec();
    std::io::copy(&mut { zeros }, &mut ZlibEncoder::new(&mut data, Compression::best())).expect("zlib");
    data
}

#[test]
fn a_colour_profile_that_decompresses_to_too_much_is_ignored() {
    let profile_length = |length| {
        let file = with_chunk(&png(&photo(20, 20)), b"iCCP", &profile_of_zeros(length));
        let mut limits = Limits::default();
        limits.max_alloc = Some(METADATA_BYTES);
        let decoder = PngDecoder::with_limits(Cursor::new(&file), limits);
        let profile =
            decoder.expect("a PNG").icc_profile().expect("a profile or none").map(|bytes| bytes.len());
        assert!(decode(&file).is_ok(), "{length}");
        profile
    };
    assert_eq!(profile_length(100_000), Some(100_000));
    assert_eq!(profile_length(METADATA_BYTES + 1), None);
}

#[test]
fn a_file_full_of_metadata_is_accepted() {
    let text = [&b"Comment\0"[..], &vec![b'x'; 14_990_000]].concat();
    let file = with_chunk(&png(&photo(20, 20)), b"tEXt", &text);
    assert!(file.len() <= 15_000_000 && decode(&file).is_ok());
}
