//! The units (NAL) that the samples of H.264 and HEVC consist of. Encoders and editing programs write texts into those with
//! supplemental information (SEI): their name, their settings, whatever somebody enters. What a decoder has no use for is
//! replaced, in place, by filling of the same length (ISO/IEC 14496-10, 7.3 and Annex D; ISO/IEC 23008-2, the same).

use std::ops::Range;

use super::boxes::{Found, child, u16_at};
use crate::error::Result;

/// The most units of a video: two minutes of 120 pictures a second have 15,000 pictures.
const MOST_UNITS: usize = 500_000;
/// The most units that are replaced.
const MOST_REPLACED: usize = 100_000;
/// Longer supplemental information is replaced without being read.
const LONGEST_READ: u64 = 64 << 10;
/// What decoders use: times of the buffer and of pictures, places to begin at, how pictures are shown, their colours.
const KEPT: [usize; 9] = [0, 1, 6, 45, 47, 129, 137, 144, 147];
/// Filling.
const FILLER: u8 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    H264,
    Hevc,
}

/// How the units of a track are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    codec: Codec,
    /// Of the length before each unit, in bytes.
    length: usize,
}

impl Format {
    /// Of the samples with this description. `None`: it is damaged; `Some(None)`: they have no such units.
    pub fn read(moov: &[u8], description: &Found) -> Option<Option<Format>> {
        let (codec, kind, place) = match &description.kind {
            b"avc1" | b"avc3" => (Codec::H264, b"avcC", 4),
            b"hvc1" | b"hev1" => (Codec::Hevc, b"hvcC", 21),
            _ => return Some(None),
        };
        let settings = description.content.start + 78..description.content.end;
        let content = child(moov, &settings, kind)?.content;
        let length = usize::from(moov.get(content)?.get(place)? & 3) + 1;
        Some(Some(Format { codec, length }))
    }

    /// The length of a unit's head, if it has supplemental information.
    fn head_of_information(self, unit: &[u8]) -> Option<usize> {
        match self.codec {
            Codec::H264 => (unit.first()? & 0x1f == 6).then_some(1),
            Codec::Hevc => is_hevc_information((unit.first()? >> 1) & 0x3f).then_some(2),
        }
    }
}

fn is_hevc_information(kind: u8) -> bool {
    kind == 39 || kind == 40
}

/// Looks through the units in these bytes of the file and adds to `written`, with its place, what replaces some of them.
/// `None`: they are damaged.
///
/// # Errors
/// Those of `at`.
pub fn replace(
    format: Format,
    samples: &[Range<u64>],
    mut at: impl FnMut(u64, usize) -> Result<Vec<u8>>,
    written: &mut Vec<(u64, Vec<u8>)>,
) -> Result<Option<()>> {
    let (mut units, mut replaced) = (0, 0);
    for range in samples {
        let mut start = range.start;
        while start < range.end {
            // The length, and a unit's head.
            let wanted = (range.end - start).min(format.length as u64 + 2);
            let bytes = at(start, usize::try_from(wanted).unwrap_or_default())?;
            let Some((length, head)) = bytes.split_at_checked(format.length) else { return Ok(None) };
            let length = length.iter().fold(0, |length, byte| (length << 8) | u64::from(*byte));
            let from = start + format.length as u64;
            start = from + length;
            units += 1;
            if start > range.end || units > MOST_UNITS {
                return Ok(None);
            }
            let Some(head) = format.head_of_information(head).filter(|head| *head as u64 <= length) else {
                continue;
            };
            let size = usize::try_from(length).unwrap_or_default();
            let mut unit = if length <= LONGEST_READ { at(from, size)? } else { vec![0xff; size] };
            if fill(&mut unit[head..]) {
                written.push((from + head as u64, unit.split_off(head)));
                replaced += 1;
                if replaced > MOST_REPLACED {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(()))
}

/// Fills the supplemental information among HEVC's settings (`hvcC`). `None`: they are damaged.
pub fn clean_settings(settings: &mut [u8]) -> Option<()> {
    let (arrays, mut at) = (*settings.get(22)?, 23);
    for _ in 0..arrays {
        let kind = settings.get(at)? & 0x3f;
        let units = u16_at(settings, at + 1)?;
        at += 3;
        for _ in 0..units {
            let length = usize::from(u16_at(settings, at)?);
            let unit = settings.get_mut(at + 2..at + 2 + length)?;
            if is_hevc_information(kind) && length > 2 {
                fill(&mut unit[2..]);
            }
            at += 2 + length;
        }
    }
    settings.get_mut(at..)?.fill(0);
    Some(())
}

/// Replaces supplemental information by filling, unless a decoder uses all of it; says whether it did.
fn fill(information: &mut [u8]) -> bool {
    if information.len() < 3 || is_all_kept(information) {
        return false;
    }
    // A message is its kind, its size and so many bytes; the last byte ends the unit. Each 255 of the size take one byte more,
    // so there are lengths that one message cannot have.
    let mut at = 0;
    while at < information.len() - 1 {
        let left = information.len() - 1 - at;
        let least = left - 2 - left / 256;
        let size = [least, least + 1].into_iter().find(|size| left == 2 + size / 255 + size).unwrap_or(0);
        information[at] = FILLER;
        let sizes = at + 1..at + 1 + size / 255;
        information[sizes.clone()].fill(0xff);
        information[sizes.end] = (size % 255) as u8;
        at = sizes.end + 1 + size;
        information[sizes.end + 1..at].fill(0xff);
    }
    information[at] = 0x80;
    true
}

fn is_all_kept(information: &[u8]) -> bool {
    let bytes = unescaped(information);
    let mut rest = bytes.as_slice();
    while rest.len() > 1 {
        let (Some(kind), Some(size)) = (number(&mut rest), number(&mut rest)) else { return false };
        let Some(after) = rest.get(size..) else { return false };
        if !KEPT.contains(&kind) {
            return false;
        }
        rest = after;
    }
    rest == [0x80]
}

/// A number of bytes 255 and a last one that is less.
fn number(rest: &mut &[u8]) -> Option<usize> {
    let more = rest.iter().position(|byte| *byte != 0xff)?;
    let number = more * 255 + usize::from(rest[more]);
    *rest = &rest[more + 1..];
    Some(number)
}

/// Without the 3 that follows each two zeros, so that no start code is in a unit.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut unescaped = Vec::with_capacity(bytes.len());
    let mut zeros = 0;
    for &byte in bytes {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        unescaped.push(byte);
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_that_no_decoder_needs_becomes_filling_of_every_length() {
        for length in 3..2_000 {
            let mut unit = vec![5; length];
            assert!(fill(&mut unit), "{length}");
            assert_eq!(unit.last(), Some(&0x80), "{length}");
            let (mut rest, mut messages) = (&unit[..], 0);
            while rest.len() > 1 {
                assert_eq!(number(&mut rest), Some(usize::from(FILLER)), "{length}");
                let size = number(&mut rest).expect("a size");
                assert!(rest[..size].iter().all(|byte| *byte == 0xff), "{length}");
                rest = &rest[size..];
                messages += 1;
            }
            assert!(messages <= 2 && rest == [0x80], "{length}");
        }
    }

    #[test]
    fn information_that_decoders_use_stays() {
        // A place to begin at, and colours whose bytes are escaped.
        for kept in
            [&[6_u8, 1, 0x84, 0x80][..], &[137, 4, 0, 0, 3, 0, 1, 0x80], &[6, 1, 0x84, 144, 1, 7, 0x80]]
        {
            let mut unit = kept.to_vec();
            assert!(!fill(&mut unit));
            assert_eq!(unit, kept);
        }
        // A text after one of these, a size that lies, no end.
        for replaced in [&[6_u8, 1, 0x84, 5, 2, b'A', b'd', 0x80][..], &[6, 9, 0x84, 0x80], &[6, 1, 0x84, 0]]
        {
            assert!(fill(&mut replaced.to_vec()));
        }
    }
}
