use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

fn photo(width: u32, height: u32) -> DynamicImage {
    // Red above, blue below, so that a test can tell which way is up.
    let colour = |y: u32| if y < height / 2 { Rgb([200, 30, 30]) } else { Rgb([30, 30, 200]) };
    DynamicImage::from(RgbImage::from_fn(width, height, |_, y| colour(y)))
}

fn jpeg(picture: &DynamicImage, exif: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 90);
    if let Some(exif) = exif {
        encoder.set_exif_metadata(exif).expect("EXIF");
    }
    picture.write_with_encoder(encoder).expect("a JPEG");
    bytes
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut bytes)).expect("a PNG");
    bytes
}

/// A TIFF directory with an orientation, a device and a location.
fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x03\0".to_vec();
    exif.extend(*b"\x0f\x01\x02\0\x04\0\0\0CAM\0");
    exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend(*b"\x25\x88\x04\0\x01\0\0\0\x32\0\0\0\0\0\0\0GPS40.7128N");
    exif
}

fn widths(encoded: &Encoded) -> Vec<(u32, u32)> {
    encoded.sizes.iter().map(|size| (size.width, size.height)).collect()
}

fn reason(file: &[u8]) -> String {
    match encode(file) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
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
        for file in [jpeg(&photo(width, height), None), png(&photo(width, height))] {
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
fn location_and_device_are_removed_and_the_picture_is_upright() {
    // 6: the picture must be rotated clockwise.
    let file = jpeg(&photo(600, 400), Some(exif(6)));
    assert!(file.windows(3).any(|bytes| bytes == b"GPS") && file.windows(3).any(|bytes| bytes == b"CAM"));
    let encoded = encode(&file).expect("a picture");
    assert_eq!(widths(&encoded), [(400, 600)]);
    let bytes = &encoded.sizes[0].bytes;
    for trace in [&b"GPS"[..], b"CAM", b"Exif"] {
        assert!(!bytes.windows(trace.len()).any(|found| found == trace), "{trace:?} is still there");
    }
    let read = image::load_from_memory(bytes).expect("a JPEG").into_rgb8();
    let (left, right) = (read.get_pixel(20, 300), read.get_pixel(380, 300));
    assert!(left.0[2] > 150 && right.0[0] > 150, "{left:?} {right:?}");
}

#[test]
fn a_file_that_is_not_a_picture_is_refused_with_one_sentence() {
    let mut truncated = png(&photo(300, 300));
    truncated.truncate(truncated.len() / 2);
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let cases: [(&str, &[u8]); 7] = [
        ("nothing", b""),
        ("a text", b"this is not a picture"),
        ("an SVG", svg),
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;"),
        ("a page", b"<!doctype html><img>"),
        ("a JPEG's first bytes", b"\xff\xd8\xff\xe0\0\x10JFIF"),
        ("half a PNG", &truncated),
    ];
    for (what, file) in cases {
        let message = reason(file);
        assert!(
            message.starts_with("This picture cannot be used. ") && message.contains(" Please "),
            "{what}: {message}"
        );
        assert_eq!(message.lines().count(), 1, "{what}: {message}");
    }
    let mut large = png(&photo(10, 10));
    large.resize(20_000_000, 0);
    assert!(reason(&large).contains("larger than 15 MB. Please make it smaller"), "{}", reason(&large));
}
