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
