//! The boxes that MP4 and MOV files consist of (ISO/IEC 14496-12, 4.2).

use std::ops::Range;

/// The header of a box.
pub struct Header {
    pub kind: [u8; 4],
    /// The length of the header, in bytes.
    pub length: usize,
    /// The length of the whole box, in bytes.
    pub size: u64,
}

impl Header {
    /// Reads the header at the start of `bytes`. `limit` is the number of bytes left in the file or the box around it; `None`
    /// if the box is longer.
    pub fn read(bytes: &[u8], limit: u64) -> Option<Header> {
        let kind = *bytes.get(4..)?.first_chunk()?;
        let (length, size) = match u32_at(bytes, 0)? {
            0 => (8, limit),
            1 => (16, u64_at(bytes, 8)?),
            size => (8, u64::from(size)),
        };
        (size >= length as u64 && size <= limit).then_some(Header { kind, length, size })
    }

    /// The header of an empty box (`free`) of the same size.
    pub fn emptied(&self, bytes: &[u8]) -> Vec<u8> {
        let mut emptied = bytes[..self.length].to_vec();
        emptied[4..8].copy_from_slice(b"free");
        emptied
    }
}

/// A box that was found in a slice of bytes.
#[derive(Clone)]
pub struct FoundBox {
    pub kind: [u8; 4],
    pub whole: Range<usize>,
    pub content: Range<usize>,
}

/// The boxes in a part of `bytes`. `None` if one of them is longer than what is left.
pub fn children(bytes: &[u8], within: Range<usize>) -> Option<Vec<FoundBox>> {
    let (mut found, mut start) = (Vec::new(), within.start);
    within.end.checked_sub(start)?;
    // QuickTime ends some lists with four zero bytes.
    while within.end - start >= 8 {
        let header = Header::read(bytes.get(start..within.end)?, (within.end - start) as u64)?;
        let end = start + usize::try_from(header.size).ok()?;
        found.push(FoundBox { kind: header.kind, whole: start..end, content: start + header.length..end });
        start = end;
    }
    Some(found)
}

/// The first box of this type.
pub fn child(bytes: &[u8], within: &Range<usize>, kind: &[u8; 4]) -> Option<FoundBox> {
    children(bytes, within.clone())?.into_iter().find(|found| found.kind == *kind)
}

/// Copies a box's header and the first `content` bytes of what it contains.
pub fn keep(source: &[u8], target: &mut [u8], found: &FoundBox, content: usize) {
    let kept = found.whole.start..(found.content.start + content).min(found.whole.end);
    target[kept.clone()].copy_from_slice(&source[kept]);
}

/// Writes an empty box (`free`) in place of a box.
pub fn empty(source: &[u8], target: &mut [u8], found: &FoundBox) {
    keep(source, target, found, 0);
    target[found.whole.start + 4..found.whole.start + 8].copy_from_slice(b"free");
}

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
