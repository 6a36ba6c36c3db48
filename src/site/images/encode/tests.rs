use image::{Rgba, RgbaImage};

use super::*;

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut bytes)).expect("a PNG");
    bytes
}

fn widths(encoded: &Encoded) -> Vec<(u32, u32)> {
    encoded.sizes.iter().map(|size| (size.width, size.height)).collect()
}

#[test]
fn transparency_is_kept() {
    let faint = RgbaImage::from_fn(600, 300, |x, _| Rgba([9, 9, 9, if x < 300 { 0 } else { 255 }]));
    let encoded = encode(&png(&DynamicImage::from(faint))).expect("a picture");
    assert_eq!((encoded.content_type, widths(&encoded)), ("image/png", vec![(480, 240), (600, 300)]));
    let read = image::load_from_memory(&encoded.sizes[0].bytes).expect("a PNG").into_rgba8();
    assert_eq!((read.get_pixel(10, 10).0[3], read.get_pixel(470, 10).0[3]), (0, 255));
}
