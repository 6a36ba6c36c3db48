//! Photos straight from the things people use, as a competitor's photo and as a picture of the organiser: each is upright
//! and right in colour with nothing left but pixels, or refused with a sentence that says what to do.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, GenericImageView, GrayImage, ImageEncoder, Rgb, RgbImage, Rgba, RgbaImage};
use moxcms::ColorProfile;
use showcase::portal::photo;
use showcase::site::images::encode;

use crate::portal::portal_site::Portal;
use crate::support::contains;

type Color = [u8; 3];
/// Top left, top right, bottom left, bottom right.
type Quarters = [Color; 4];

/// Red, green, blue, grey.
const PLAIN: Quarters = [[200, 30, 30], [30, 150, 30], [30, 30, 200], [128, 128, 128]];
/// Text in the metadata of test files that no stored picture may contain.
const SECRET: &[u8] = b"Canary";

fn drawing(width: u32, height: u32, quarters: Quarters) -> DynamicImage {
    let color = |x, y| Rgb(quarters[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)]);
    RgbImage::from_fn(width, height, color).into()
}

fn plain() -> DynamicImage {
    drawing(240, 160, PLAIN)
}

/// Encodes a picture with these metadata, where its format has them.
fn written(
    mut encoder: impl ImageEncoder,
    picture: &DynamicImage,
    exif: Option<Vec<u8>>,
    profile: Option<Vec<u8>>,
) {
    if let Some(exif) = exif {
        encoder.set_exif_metadata(exif).expect("EXIF");
    }
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile).expect("a profile");
    }
    picture.write_with_encoder(encoder).expect("a picture");
}

fn jpeg(picture: &DynamicImage, exif: Option<Vec<u8>>, profile: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    written(JpegEncoder::new_with_quality(&mut bytes, 95), picture, exif, profile);
    bytes
}

fn png(picture: &DynamicImage, exif: Option<Vec<u8>>, profile: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    written(PngEncoder::new(&mut bytes), picture, exif, profile);
    bytes
}

fn webp(picture: &DynamicImage, exif: Option<Vec<u8>>, profile: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    written(WebPEncoder::new_lossless(&mut bytes), picture, exif, profile);
    bytes
}

/// A JPEG as printers and cameras write it: progressive, or with the inks of a print.
fn other_jpeg(color: Option<jpeg_encoder::JpegColorType>) -> Vec<u8> {
    let (mut bytes, picture) = (Vec::new(), plain().into_rgb8());
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 95);
    let inks = picture.pixels().flat_map(|pixel| [255 - pixel.0[0], 255 - pixel.0[1], 255 - pixel.0[2], 0]);
    let written = match color {
        Some(jpeg_encoder::JpegColorType::Cmyk) => {
            encoder.encode(&inks.collect::<Vec<u8>>(), 240, 160, jpeg_encoder::ColorType::Cmyk)
        }
        Some(_) => encoder.encode(&inks.collect::<Vec<u8>>(), 240, 160, jpeg_encoder::ColorType::CmykAsYcck),
        None => {
            encoder.set_progressive(true);
            encoder.encode(&picture, 240, 160, jpeg_encoder::ColorType::Rgb)
        }
    };
    written.expect("a JPEG");
    bytes
}

/// A TIFF directory with a name and an orientation.
fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x02\0".to_vec();
    exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend(*b"\x3b\x01\x02\0\x07\0\0\0\x26\0\0\0\0\0\0\0Canary\0");
    exif
}

/// The JPEG with a segment after its first marker.
fn with_segment(jpeg: &[u8], code: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).expect("a length").to_be_bytes();
    [&jpeg[..2], &[0xff, code], &length, data, &jpeg[2..]].concat()
}

/// The PNG with a chunk before its pixels.
fn with_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    // The signature and the header have 33 bytes.
    let (start, rest) = png.split_at(33);
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let length = u32::try_from(data.len()).expect("a length").to_be_bytes();
    [start, &length, kind, data, &sum.sum().to_be_bytes(), rest].concat()
}

/// A PNG whose header claims other dimensions and another number of bits for each colour.
fn claiming(width: u32, height: u32, bits: u8) -> Vec<u8> {
    let mut png = png(&DynamicImage::new_rgba8(8, 8), None, None);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png[24] = bits;
    let mut sum = flate2::Crc::new();
    sum.update(&png[12..29]);
    png[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    png
}

/// What judges see, and what visitors see.
fn both(file: &[u8]) -> [Result<Vec<u8>, String>; 2] {
    let photo = photo::read(file, 0).map(|photo| photo.full.bytes);
    let picture = encode::encode(file).map(|mut encoded| encoded.sizes.pop().expect("a size").bytes);
    [photo.map_err(|error| error.to_string()), picture.map_err(|error| error.to_string())]
}

/// Dimensions and colours in the middle of each quarter, in front of white.
fn seen(bytes: &[u8]) -> ((u32, u32), Quarters) {
    let picture = image::load_from_memory(bytes).expect("a picture").into_rgba8();
    let (width, height) = picture.dimensions();
    let at = |x: u32, y: u32| {
        let Rgba([red, green, blue, alpha]) = *picture.get_pixel(width * x / 4, height * y / 4);
        [red, green, blue].map(|value| (u32::from(value) * u32::from(alpha) / 255) as u8 + (255 - alpha))
    };
    ((width, height), [at(1, 1), at(3, 1), at(1, 3), at(3, 3)])
}

fn assert_looks(what: &str, file: &[u8], expected: Quarters) {
    for (who, made) in ["competitor", "organiser"].into_iter().zip(both(file)) {
        let made = made.unwrap_or_else(|error| panic!("{what}, {who}: {error}"));
        for trace in [SECRET, b"Exif", b"ICC_PROFILE", b"iCCP", b"ftyp", b"MPF", b"hdrgm"] {
            assert!(!contains(&made, trace), "{what}, {who}: {trace:?} is left");
        }
        assert_close(&format!("{what}, {who}"), seen(&made).1, expected, 11);
    }
}

/// Asserts that no channel differs by more than `most`.
fn assert_close(what: &str, colors: Quarters, expected: Quarters, most: u8) {
    let mut channels = colors.as_flattened().iter().zip(expected.as_flattened());
    let is_close = channels.all(|(one, other)| one.abs_diff(*other) <= most);
    assert!(is_close, "{what}: {colors:?} instead of {expected:?}");
}

#[test]
fn photos_of_all_kinds_are_upright_right_in_color_and_only_pixels() {
    let whole = jpeg(&plain(), Some(exif(1)), None);
    let inverted = jpeg(&drawing(240, 160, PLAIN.map(|color| color.map(|value| 255 - value))), None, None);
    let gray = jpeg(&GrayImage::from_pixel(60, 40, image::Luma([200])).into(), None, None);
    let film = b"\0\0\0\x18ftypmp42\xff\xda\0\x08\x01\xff\xd8 Canary \xff\xda";
    // Pure red and blue of sRGB, as Display P3 has them.
    let p3 = drawing(240, 160, [[234, 51, 35], [0, 0, 245], [255, 255, 255], [128, 128, 128]]);
    let p3_seen = [[255, 0, 0], [0, 0, 255], [255, 255, 255], [128, 128, 128]];
    let p3_profile = || Some(ColorProfile::new_display_p3().encode().expect("a profile"));
    let faint = RgbaImage::from_fn(240, 160, |x, _| Rgba([10, 200, 10, if x < 120 { 0 } else { 255 }]));
    let on_white = [[255, 255, 255], [10, 200, 10], [255, 255, 255], [10, 200, 10]];
    let cases: Vec<(&str, Vec<u8>, Quarters)> = vec![
        ("a JPEG", whole.clone(), PLAIN),
        ("progressive", other_jpeg(None), PLAIN),
        ("CMYK", other_jpeg(Some(jpeg_encoder::JpegColorType::Cmyk)), PLAIN),
        ("YCCK", other_jpeg(Some(jpeg_encoder::JpegColorType::Ycck)), PLAIN),
        ("a motion photo", [&whole[..], film].concat(), PLAIN),
        ("a motion photo whose film is cut off", [&whole[..], &film[..20]].concat(), PLAIN),
        ("MPO", [with_segment(&whole, 0xe2, b"MPF\0MM\0*\0\0\0\x08"), inverted].concat(), PLAIN),
        (
            "Ultra HDR",
            [with_segment(&whole, 0xe1, b"http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version='1.0'/>"), gray]
                .concat(),
            PLAIN,
        ),
        ("Display P3 in a JPEG", jpeg(&p3, None, p3_profile()), p3_seen),
        ("Display P3 in a PNG", png(&p3, None, p3_profile()), p3_seen),
        ("Display P3 in a WebP", webp(&p3, None, p3_profile()), p3_seen),
        ("Display P3 by number", with_chunk(&png(&p3, None, None), b"cICP", &[12, 13, 0, 1]), p3_seen),
        ("a number of no colours", with_chunk(&png(&plain(), None, None), b"cICP", &[99, 99, 0, 1]), PLAIN),
        (
            "high dynamic range by number",
            with_chunk(&png(&plain(), None, None), b"cICP", &[9, 16, 0, 1]),
            PLAIN,
        ),
        ("a profile of nothing", jpeg(&plain(), None, Some(b"Canary".to_vec())), PLAIN),
        ("16 bits", png(&plain().into_rgb16().into(), None, None), PLAIN),
        (
            "16 bits and transparency",
            png(&DynamicImage::from(faint.clone()).into_rgba16().into(), None, None),
            on_white,
        ),
        ("a transparent PNG", png(&faint.clone().into(), None, None), on_white),
        ("a transparent WebP", webp(&faint.into(), None, None), on_white),
        ("a panorama", jpeg(&drawing(16_000, 400, PLAIN), None, None), PLAIN),
    ];
    for (what, file, expected) in &cases {
        assert_looks(what, file, *expected);
    }
}

/// The mean colour of each quarter.
fn means(bytes: &[u8]) -> Quarters {
    let picture = image::load_from_memory(bytes).expect("a picture").into_rgb8();
    let (width, height) = (picture.width() / 2, picture.height() / 2);
    let mean = |left, top| {
        let quarter = picture.view(left, top, width, height);
        let sum =
            |channel: usize| quarter.pixels().map(|(.., pixel)| u64::from(pixel.0[channel])).sum::<u64>();
        [0, 1, 2].map(|channel| (sum(channel) / u64::from(width * height)) as u8)
    };
    [mean(0, 0), mean(width, 0), mean(0, height), mean(width, height)]
}

#[test]
fn photos_of_real_cameras_keep_their_pixels_and_nothing_of_their_metadata() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/photos");
    let blue = [[0, 0, 254]; 4];
    // What the metadata name, the dimensions, and the colours as ImageMagick converts them to sRGB. Those of
    // the picture in CMYK are of the same picture in RGB, which Pillow has too.
    let iphone = std::fs::read(folder.join("apple-iphone-14-pro-max.jpg")).expect("a file");
    let taken_at = photo::read(&iphone, 0).ok().and_then(|photo| photo.taken_at);
    assert_eq!(taken_at.as_deref(), Some("2025-09-07 14:16:43"), "which only the organiser sees");
    let cases: [(&str, &str, (u32, u32), Quarters); 6] = [
        (
            "apple-iphone-14-pro-max.jpg",
            "Apple",
            (56, 70),
            [[0x90, 0x90, 0x8c], [0x93, 0x99, 0x9c], [0x7c, 0x7a, 0x71], [0x81, 0x84, 0x80]],
        ),
        (
            "samsung-nx1000.jpg",
            "SAMSUNG",
            (64, 64),
            [[0x3c, 0x31, 0x05], [0x3f, 0x33, 0x05], [0x46, 0x38, 0x04], [0x47, 0x39, 0x04]],
        ),
        (
            "nokia-n70.jpg",
            "Nokia",
            (640, 480),
            [[0x5f, 0x61, 0x79], [0x8b, 0x9d, 0xe0], [0x45, 0x3e, 0x3e], [0x44, 0x41, 0x42]],
        ),
        (
            "photoshop-cmyk.jpg",
            "Photoshop",
            (100, 100),
            [[0x34, 0x08, 0x06], [0x21, 0x05, 0x04], [0x0f, 0x02, 0x01], [0x0b, 0x01, 0x01]],
        ),
        ("canon-powershot-g1-x.jpg", "Canon", (80, 80), blue),
        ("sony-dsc-rx1r.jpg", "SONY", (80, 80), blue),
    ];
    for (name, maker, dimensions, expected) in cases {
        let file = std::fs::read(folder.join(name)).expect(name);
        assert!(contains(&file, maker), "{name} does not name {maker}");
        for (who, made) in ["competitor", "organiser"].into_iter().zip(both(&file)) {
            let made = made.unwrap_or_else(|error| panic!("{name}, {who}: {error}"));
            for trace in [maker.as_bytes(), b"Exif", b"ICC_PROFILE", b"MPF", b"8BIM", b"http"] {
                assert!(!contains(&made, trace), "{name}, {who}: {trace:?} is left");
            }
            assert_eq!(seen(&made).0, dimensions, "{name}, {who}");
            assert_close(&format!("{name}, {who}"), means(&made), expected, 5);
        }
    }
}

#[test]
fn every_orientation_of_every_format_is_turned_upright() {
    // For each orientation, which quarter of the upright picture the file has top left, top right, bottom left and
    // bottom right (TIFF 6.0, Orientation).
    let stored: [[usize; 4]; 8] = [
        [0, 1, 2, 3],
        [1, 0, 3, 2],
        [3, 2, 1, 0],
        [2, 3, 0, 1],
        [0, 2, 1, 3],
        [1, 3, 0, 2],
        [3, 1, 2, 0],
        [2, 0, 3, 1],
    ];
    for (orientation, quarters) in (1..).zip(stored) {
        let is_turned = orientation >= 5;
        let (width, height) = if is_turned { (160, 240) } else { (240, 160) };
        let picture = drawing(width, height, quarters.map(|quarter| PLAIN[quarter]));
        let metadata = || Some(exif(orientation));
        let with_prefix = || Some([b"Exif\0\0", &*exif(orientation)].concat());
        for (what, file) in [
            ("JPEG", jpeg(&picture, metadata(), None)),
            ("PNG", png(&picture, metadata(), None)),
            ("PNG with a prefix", png(&picture, with_prefix(), None)),
            ("WebP", webp(&picture, metadata(), None)),
            ("WebP with a prefix", webp(&picture, with_prefix(), None)),
        ] {
            let what = format!("{what}, orientation {orientation}");
            assert_looks(&what, &file, PLAIN);
            for made in both(&file) {
                assert_eq!(seen(&made.expect("a picture")).0, (240, 160), "{what}");
            }
        }
    }
}

/// `plain()` as HEIC, written by libheif with x265: as it is, stored turned with the box that turns it back, and in Display P3.
const HEIC: [(&str, &[u8]); 3] = [
    ("a HEIC", include_bytes!("heic/upright.heic")),
    ("a turned HEIC", include_bytes!("heic/turned.heic")),
    ("a HEIC in Display P3", include_bytes!("heic/display-p3.heic")),
];

#[test]
fn a_heic_is_upright_and_right_in_colour_and_a_half_one_is_refused() {
    for (what, file) in HEIC {
        assert_looks(what, file, PLAIN);
        for made in both(file) {
            assert_eq!(seen(&made.expect("a picture")).0, (240, 160), "{what}");
        }
        for made in both(&file[..file.len() / 2]) {
            assert!(made.expect_err(what).contains("save it as a JPEG"));
        }
    }
}

/// The start of a HEIC of this kind, as it is on the phone.
fn heic(kind: &[u8; 4]) -> Vec<u8> {
    [b"\0\0\0\x24ftyp", &kind[..], b"\0\0\0\0mif1MiHB", &[7; 400]].concat()
}

#[test]
fn what_cannot_be_used_is_refused_with_a_sentence_that_says_what_to_do() {
    let whole = jpeg(&plain(), Some(exif(1)), None);
    // The small picture in the metadata is complete, the photo is not.
    let small = [b"Exif\0\0", &*jpeg(&drawing(16, 16, PLAIN), None, None)].concat();
    let with_small = with_segment(&whole, 0xe1, &small);
    let progressive = other_jpeg(None);
    let (png, webp) = (png(&plain(), None, None), webp(&plain(), None, None));
    let half = |file: &[u8]| file[..file.len() / 2].to_vec();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("HEIC", heic(b"heic"), "Settings, Camera, Formats: Most Compatible"),
        ("HEIC of other phones", heic(b"mif1"), "save it as a JPEG"),
        ("nothing", vec![], "The file is empty. Please open the photo on your device"),
        ("half a JPEG", half(&whole), "incomplete. Please send it again"),
        ("a JPEG without its end", whole[..whole.len() - 2].to_vec(), "incomplete. Please send it again"),
        ("half a JPEG with a small one", half(&with_small), "incomplete. Please send it again"),
        ("half a progressive JPEG", half(&progressive), "incomplete. Please send it again"),
        ("half a PNG", half(&png), "damaged and cannot be read. Please send it again"),
        ("half a WebP", half(&webp), "damaged and cannot be read. Please send it again"),
        ("the largest panorama of a phone", claiming(16_382, 3_900, 8), "at most 50 megapixels"),
        ("too long", claiming(20_001, 10, 8), "20,000 pixels on a side. Please make it smaller"),
        ("too deep", claiming(7_000, 6_000, 16), "Please save it as a JPEG"),
        ("as deep, and of fewer pixels", claiming(4_000, 6_000, 16), "damaged and cannot be read"),
        ("a film", b"\0\0\0\x18ftypmp42\0\0\0\0isom".to_vec(), "Please choose a JPEG, PNG or WebP file"),
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), "Please choose a JPEG, PNG or WebP file"),
        (
            "a drawing",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            "Please choose a JPEG, PNG or WebP file",
        ),
    ];
    for (what, file, words) in &cases {
        for made in both(file) {
            let said = made.err().unwrap_or_else(|| panic!("{what}: taken"));
            assert!(said.contains(words) && said.lines().count() == 1, "{what}: {said}");
        }
    }
}

#[test]
fn damage_anywhere_ends_in_a_picture_or_a_sentence() {
    let pictures = [
        jpeg(&plain(), Some(exif(6)), None),
        other_jpeg(None),
        other_jpeg(Some(jpeg_encoder::JpegColorType::Cmyk)),
        png(&plain(), Some(exif(6)), None),
        webp(&plain(), Some(exif(6)), None),
        HEIC[1].1.to_vec(),
    ];
    for (number, picture) in pictures.iter().enumerate() {
        for at in (0..picture.len()).step_by(picture.len() / 30 + 1) {
            for damage in [0x00, 0x5a, 0xff] {
                let mut file = picture.clone();
                file[at] = damage;
                for said in both(&file).into_iter().filter_map(Result::err) {
                    assert!(said.contains("Please "), "picture {number}, byte {at}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_heic_is_known_by_its_bytes_whatever_its_name_and_type_and_the_way_out_is_named() {
    let (portal, cookie) = Portal::with_artist();
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    let file = heic(b"heic");
    let upload = portal.begun(&cookie, id, "left", file.len());
    let refused = portal.append(&cookie, &upload, 0, &file);
    let said = refused.json()["detail"].as_str().expect("a sentence").to_owned();
    assert_eq!(refused.status, 415);
    assert!(said.contains("Settings, Camera, Formats: Most Compatible"), "{said}");
}
