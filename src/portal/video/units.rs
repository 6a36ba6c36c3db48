//! The NAL units of H.264 and HEVC. Encoders and editing programs write texts into supplemental enhancement information
//! (SEI): their name, their settings, whatever somebody has entered. SEI messages that no decoder needs are overwritten with
//! filler of the same length (ISO/IEC 14496-10 and 23008-2, 7.3 and Annex D), so that no other byte of the file moves.

use std::ops::Range;

use super::boxes::{FoundBox, child, u16_at};
use crate::error::Result;

/// The most units in a video. Two minutes at 120 frames a second have 14,400 frames.
const MAX_UNITS: usize = 500_000;
/// The most units that are replaced.
const MAX_REPLACED: usize = 100_000;
/// In bytes. SEI that is longer is replaced without being read.
const MAX_READ: u64 = 64 << 10;
/// The SEI message types that decoders use: buffering and picture timing, recovery points, frame packing, display
/// orientation, active parameter sets and colours.
const KEPT: [usize; 9] = [0, 1, 6, 45, 47, 129, 137, 144, 147];
/// The SEI message type `filler_payload`.
const FILLER: u8 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    H264,
    Hevc,
}

/// How a track's samples are divided into units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    codec: Codec,
    /// How many bytes before each unit tell its length.
    length: usize,
}

impl Format {
    /// The format of the samples with this sample entry. `None` if the entry is damaged; `Some(None)` if another codec is
    /// used, which has no NAL units.
    pub fn read(moov: &[u8], description: &FoundBox) -> Option<Option<Format>> {
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

    /// The length of an SEI unit's header; `None` for other units.
    fn sei_header(self, unit: &[u8]) -> Option<usize> {
        match self.codec {
            Codec::H264 => (unit.first()? & 0x1f == 6).then_some(1),
            Codec::Hevc => is_hevc_sei((unit.first()? >> 1) & 0x3f).then_some(2),
        }
    }
}

fn is_hevc_sei(kind: u8) -> bool {
    kind == 39 || kind == 40
}

/// Finds the SEI units within `samples`, which are ranges of bytes in the file, and pushes to `written` at which offset
/// which bytes replace them. `read_at` reads a number of bytes from an offset. `None` if the units are damaged.
pub fn replace(
    format: Format,
    samples: &[Range<u64>],
    mut read_at: impl FnMut(u64, usize) -> Result<Vec<u8>>,
    written: &mut Vec<(u64, Vec<u8>)>,
) -> Result<Option<()>> {
    let (mut units, mut replaced) = (0, 0);
    for range in samples {
        let mut start = range.start;
        while start < range.end {
            // The unit's length and its header.
            let wanted = (range.end - start).min(format.length as u64 + 2);
            let bytes = read_at(start, usize::try_from(wanted).unwrap_or_default())?;
            let Some((length, head)) = bytes.split_at_checked(format.length) else { return Ok(None) };
            let length = length.iter().fold(0, |length, byte| (length << 8) | u64::from(*byte));
            let from = start + format.length as u64;
            start = from + length;
            units += 1;
            if start > range.end || units > MAX_UNITS {
                return Ok(None);
            }
            let Some(head) = format.sei_header(head).filter(|head| *head as u64 <= length) else {
                continue;
            };
            let size = usize::try_from(length).unwrap_or_default();
            let mut unit = if length <= MAX_READ { read_at(from, size)? } else { vec![0xff; size] };
            if fill(&mut unit[head..]) {
                written.push((from + head as u64, unit.split_off(head)));
                replaced += 1;
                if replaced > MAX_REPLACED {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(()))
}

/// Replaces the SEI within HEVC's configuration (`hvcC`). `None` if the configuration is damaged.
pub fn clean_settings(settings: &mut [u8]) -> Option<()> {
    let (arrays, mut at) = (*settings.get(22)?, 23);
    for _ in 0..arrays {
        let kind = settings.get(at)? & 0x3f;
        let units = u16_at(settings, at + 1)?;
        at += 3;
        for _ in 0..units {
            let length = usize::from(u16_at(settings, at)?);
            let unit = settings.get_mut(at + 2..at + 2 + length)?;
            if is_hevc_sei(kind) && length > 2 {
                fill(&mut unit[2..]);
            }
            at += 2 + length;
        }
    }
    settings.get_mut(at..)?.fill(0);
    Some(())
}

/// Overwrites SEI messages with filler, unless decoders use all of them. Returns whether it did.
fn fill(messages: &mut [u8]) -> bool {
    if messages.len() < 3 || is_all_kept(messages) {
        return false;
    }
    // A message has a type, a size and a payload of that size; a last byte ends the unit. The size takes one more byte for
    // each 255 in it, so a single message cannot have every length, and some gaps need two.
    let mut at = 0;
    while at < messages.len() - 1 {
        let left = messages.len() - 1 - at;
        let least = left - 2 - left / 256;
        let size = [least, least + 1].into_iter().find(|size| left == 2 + size / 255 + size).unwrap_or(0);
        messages[at] = FILLER;
        let sizes = at + 1..at + 1 + size / 255;
        messages[sizes.clone()].fill(0xff);
        messages[sizes.end] = (size % 255) as u8;
        at = sizes.end + 1 + size;
        messages[sizes.end + 1..at].fill(0xff);
    }
    messages[at] = 0x80;
    true
}

fn is_all_kept(messages: &[u8]) -> bool {
    let bytes = unescaped(messages);
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

/// Reads a number that is written as bytes of 255 and a last byte below 255, whose sum it is.
fn number(rest: &mut &[u8]) -> Option<usize> {
    let more = rest.iter().position(|byte| *byte != 0xff)?;
    let number = more * 255 + usize::from(rest[more]);
    *rest = &rest[more + 1..];
    Some(number)
}

/// Removes the byte 3 that encoders insert after two zeros, so that no unit contains a start code.
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
