//! A perceptual hash of a photo in 64 bits. It finds the same photo in two nominations even if its bytes differ, because it
//! was sent through a messenger, made smaller or made brighter. It is a difference hash: the photo is reduced to 9 × 8 grey
//! pixels, and each bit says whether a pixel is brighter than the one to its right.

use image::DynamicImage;
use image::imageops::{FilterType, resize};

/// Photos whose hashes differ in at most this many bits count as the same. The test shows how much the hashes of equal and
/// of different photos differ.
const MAX_DIFFERENT: u32 = 6;

pub(super) fn image_hash(picture: &DynamicImage) -> i64 {
    let small = resize(&picture.to_luma8(), 9, 8, FilterType::Triangle);
    let is_brighter = |x, y| small.get_pixel(x, y).0[0] > small.get_pixel(x + 1, y).0[0];
    let places = (0..8).flat_map(|y| (0..8).map(move |x| (x, y)));
    places.fold(0_u64, |bits, (x, y)| (bits << 1) | u64::from(is_brighter(x, y))).cast_signed()
}

/// Whether two hashes are of the same photo.
pub(super) fn is_alike(a: i64, b: i64) -> bool {
    (a ^ b).count_ones() <= MAX_DIFFERENT
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;

    use super::super::samples::drawing;
    use super::*;

    fn jpeg(picture: &DynamicImage, quality: u8) -> DynamicImage {
        let mut bytes = Vec::new();
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality)).expect("a JPEG");
        image::load_from_memory(&bytes).expect("a JPEG")
    }

    /// 'left saved again: 2 bits'
    type Case = (u32, String);

    #[test]
    fn a_photo_that_was_sent_on_is_the_same_and_another_persons_is_not() {
        const SLOTS: [&str; 5] = ["open_front", "closed_above", "left", "right", "close_up"];
        let photo = |slot: &str, person: i64| {
            let drawn = drawing(slot, person).expect("a drawing");
            image::load_from_memory(&drawn).expect("a JPEG").thumbnail(360, 360)
        };
        let others: Vec<(String, i64)> = (2..=6)
            .flat_map(|person| {
                SLOTS.map(|slot| (format!("{slot} of person {person}"), image_hash(&photo(slot, person))))
            })
            .collect();
        let (mut same, mut other): (Vec<Case>, Vec<Case>) = (Vec::new(), Vec::new());
        for slot in SLOTS {
            let original = photo(slot, 1);
            let border = original.width() / 50;
            let cropped = original.crop_imm(
                border,
                border,
                original.width() - 2 * border,
                original.height() - 2 * border,
            );
            for (what, changed) in [
                ("saved again", jpeg(&original, 60)),
                ("saved badly", jpeg(&original, 25)),
                ("made smaller", original.resize(200, 200, FilterType::Lanczos3)),
                ("a messenger's", jpeg(&original.resize(160, 160, FilterType::Triangle), 50)),
                ("brighter", original.brighten(12)),
                ("darker", original.brighten(-15)),
                ("with more contrast", original.adjust_contrast(10.0)),
                ("grey", original.grayscale()),
                ("cropped by a fiftieth", cropped),
            ] {
                same.push((
                    (image_hash(&original) ^ image_hash(&changed)).count_ones(),
                    format!("{slot} {what}"),
                ));
            }
            for (name, hash) in &others {
                other.push(((image_hash(&original) ^ hash).count_ones(), format!("{slot} and {name}")));
            }
        }
        let (farthest, nearest) = (same.iter().max().expect("cases"), other.iter().min().expect("cases"));
        assert!(
            farthest.0 <= MAX_DIFFERENT && nearest.0 > MAX_DIFFERENT,
            "the same differ in at most {farthest:?}, others in at least {nearest:?}"
        );
        assert!(is_alike(0b11_1111, 0) && !is_alike(0b111_1111, 0) && is_alike(-1, -1));
    }
}
