use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

fn photo(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_pixel(width, height, Rgb([200, 30, 30])).into()
}

fn jpeg(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 90)).expect("a JPEG");
    bytes
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut bytes)).expect("a PNG");
    bytes
}

fn widths(encoded: &Encoded) -> Vec<(u32, u32)> {
    encoded.sizes.iter().map(|size| (size.width, size.height)).collect()
}

#[test]
fn a_photo_is_encoded_in_up_to_three_widths_none_wider_than_itself() {
    let cases = [
        ((2000, 1000), vec![(480, 240), (960, 480), (1600, 800)]),
        ((1600, 900), vec![(480, 270), (960, 540), (1600, 900)]),
        ((700, 1400), vec![(480, 960), (700, 1400)]),
        ((480, 10), vec![(480, 10)]),
        ((1, 1), vec![(1, 1)]),
    ];
    for ((width, height), expected) in cases {
        for file in [jpeg(&photo(width, height)), png(&photo(width, height))] {
            let encoded = encode(&file).expect("a picture");
            assert_eq!(encoded.content_type, "image/jpeg");
            assert_eq!(widths(&encoded), expected, "{width} x {height}");
            for size in &encoded.sizes {
                let read =
                    image::load_from_memory_with_format(&size.bytes, ImageFormat::Jpeg).expect("a JPEG");
                assert_eq!((read.width(), read.height()), (size.width, size.height));
            }
        }
    }
}

#[test]
fn transparency_is_kept() {
    let faint = RgbaImage::from_fn(600, 300, |x, _| Rgba([9, 9, 9, if x < 300 { 0 } else { 255 }]));
    let encoded = encode(&png(&DynamicImage::from(faint))).expect("a picture");
    assert_eq!((encoded.content_type, widths(&encoded)), ("image/png", vec![(480, 240), (600, 300)]));
    let read = image::load_from_memory(&encoded.sizes[0].bytes).expect("a PNG").into_rgba8();
    assert_eq!((read.get_pixel(10, 10).0[3], read.get_pixel(470, 10).0[3]), (0, 255));
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let mut large = png(&photo(10, 10));
    large.resize(20_000_000, 0);
    let reason = encode(&large).err().expect("refused").to_string();
    assert!(reason.contains("larger than 15 MB. Please make it smaller"), "{reason}");
}
