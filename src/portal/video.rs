//! Reads an MP4 or MOV file (ISO/IEC 14496-12, QuickTime File Format) and says which of its bytes are kept. Everything
//! else becomes zero, in place, so that the offsets in the file stay right. Kept are the pictures and the boxes that a
//! player needs. Texts, locations, times and anything else that a phone or a program adds are removed, and so is the sound: a
//! voice or a salon's name would tell a judge who it is. Nothing is encoded again.

mod boxes;
mod tracks;
mod units;

use std::ops::Range;

use image::{Rgb, RgbImage};

use crate::error::{Error, Result};
use boxes::{Header, children};
use units::Format;

/// The largest file, in bytes.
pub const MAX_BYTES: u64 = 100_000_000;
const MAX_SECONDS: u64 = 120;
/// The largest index, which is read into memory. That of two minutes has some 300 kB.
const MAX_INDEX: u64 = 8 << 20;
/// A file of a phone has about five boxes at the top. Each sample is looked for in all of them.
const MAX_BOXES: usize = 100;

/// The brands of files that phones, cameras and programs write as MP4 or MOV. HEIC and AVIF have others.
const BRANDS: [&[u8; 4]; 27] = [
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9", b"mp41", b"mp42",
    b"mp71", b"avc1", b"hvc1", b"av01", b"M4V ", b"M4VH", b"M4VP", b"MSNV", b"3gp4", b"3gp5", b"3gp6",
    b"3gp7", b"3g2a", b"XAVC", b"CAEP", b"qt  ",
];

/// What is kept of a video.
#[derive(Debug)]
pub struct Video {
    pub width: u32,
    pub height: u32,
    /// The byte ranges of the samples, in order and without overlaps.
    kept: Vec<Range<u64>>,
    /// The boxes, and what replaces parts of samples, each with its offset and in order.
    written: Vec<(u64, Vec<u8>)>,
}

/// What the index says.
struct Index {
    bytes: Vec<u8>,
    samples: Vec<Range<u64>>,
    /// Of each track whose samples consist of units.
    units: Vec<(Format, Vec<Range<u64>>)>,
    width: u32,
    height: u32,
}

/// Reads a file of this length. `read_at` returns this many bytes from this offset. It is called for the index, for the headers of
/// the boxes at the top and for the units of samples.
///
/// # Errors
/// [`Error::Unsupported`]: this is no MP4 or MOV. [`Error::Invalid`] on `slot`, with the reason why this one is not taken.
/// Those of `read_at`.
pub fn read(length: u64, mut read_at: impl FnMut(u64, usize) -> Result<Vec<u8>>) -> Result<Video> {
    let mut video = Video { width: 0, height: 0, kept: Vec::new(), written: Vec::new() };
    let (mut index, mut data, mut start) = (None, Vec::new(), 0);
    for number in 0.. {
        if start == length {
            break;
        }
        let header_bytes = read_at(start, usize::try_from((length - start).min(16)).unwrap_or_default())?;
        if number == 0 && header_bytes.get(4..8) != Some(b"ftyp".as_slice()) {
            return Err(unsupported());
        }
        let header =
            Header::read(&header_bytes, length - start).filter(|_| number < MAX_BOXES).ok_or_else(damaged)?;
        let end = start + header.size;
        let size = usize::try_from(header.size).unwrap_or(usize::MAX);
        match &header.kind {
            b"ftyp" if number == 0 => {
                let ftyp = read_at(start, size.min(1_024))?;
                video.written.push((start, known_brands(&ftyp, size)?));
            }
            b"mdat" => {
                video.written.push((start, header_bytes[..header.length].to_vec()));
                data.push(start + header.length as u64..end);
            }
            b"moov" if index.is_none() && header.size <= MAX_INDEX => {
                let mut read = read_index(&read_at(start, size)?)?;
                video.written.push((start, std::mem::take(&mut read.bytes)));
                index = Some(read);
            }
            b"moov" => return Err(damaged()),
            b"moof" => return Err(fragmented()),
            _ => video.written.push((start, header.emptied(&header_bytes))),
        }
        start = end;
    }
    let index = index.ok_or_else(|| refused("The video is incomplete. Please upload it again."))?;
    (video.width, video.height, video.kept) = (index.width, index.height, merged(index.samples));
    let is_data =
        |range: &Range<u64>| data.iter().any(|mdat| mdat.start <= range.start && range.end <= mdat.end);
    if video.kept.is_empty() || !video.kept.iter().all(is_data) {
        return Err(damaged());
    }
    for (format, samples) in index.units {
        units::replace(format, &samples, &mut read_at, &mut video.written)?.ok_or_else(damaged)?;
    }
    video.written.sort_unstable_by_key(|(offset, _)| *offset);
    Ok(video)
}

impl Video {
    /// Sets to zero, in a part of the file that begins at `start`, all bytes that are not kept.
    pub fn clean(&self, start: u64, part: &mut [u8]) {
        let end = start + part.len() as u64;
        let within = |at: u64| usize::try_from(at.clamp(start, end) - start).unwrap_or_default();
        let mut emptied = 0;
        let first = self.kept.partition_point(|range| range.end <= start);
        for range in self.kept[first..].iter().take_while(|range| range.start < end) {
            part[emptied..within(range.start)].fill(0);
            emptied = within(range.end);
        }
        part[emptied..].fill(0);
        let first = self.written.partition_point(|(offset, bytes)| offset + bytes.len() as u64 <= start);
        for (offset, bytes) in self.written[first..].iter().take_while(|(offset, _)| *offset < end) {
            let (from, to) = (within(*offset), within(offset + bytes.len() as u64));
            if from < to {
                let skipped =
                    usize::try_from((start + from as u64).saturating_sub(*offset)).unwrap_or_default();
                part[from..to].copy_from_slice(&bytes[skipped..skipped + to - from]);
            }
        }
    }
}

/// The box `ftyp` with known brands alone, since unknown ones may be any text. `size` is the size of the box.
fn known_brands(ftyp: &[u8], size: usize) -> Result<Vec<u8>> {
    let is_known = |brand: &[u8]| BRANDS.iter().any(|known| known.as_slice() == brand);
    if ftyp.len() < 16 || ftyp.len() != size || !is_known(&ftyp[8..12]) {
        return Err(unsupported());
    }
    let mut kept = ftyp.to_vec();
    kept[12..16].fill(0);
    let (brands, rest) = kept[16..].as_chunks_mut::<4>();
    for brand in brands.iter_mut().filter(|brand| !is_known(brand.as_slice())) {
        *brand = *b"isom";
    }
    rest.fill(0);
    Ok(kept)
}

/// Keeps what a player needs of the index, and reads from it where the samples are.
fn read_index(moov: &[u8]) -> Result<Index> {
    let whole = children(moov, 0..moov.len()).ok_or_else(damaged)?.remove(0);
    let mut index =
        Index { bytes: vec![0; moov.len()], samples: Vec::new(), units: Vec::new(), width: 0, height: 0 };
    index.bytes[..whole.content.start].copy_from_slice(&moov[..whole.content.start]);
    for inner in children(moov, whole.content).ok_or_else(damaged)? {
        match &inner.kind {
            b"mvhd" => {
                let (ticks, scale) = tracks::duration(moov, &inner).ok_or_else(damaged)?;
                require_short(ticks, scale)?;
                tracks::keep_header(moov, &mut index.bytes, &inner);
            }
            b"mvex" => return Err(fragmented()),
            b"trak" => {
                let track = tracks::read(moov, &inner).ok_or_else(damaged)?;
                let Some(track) = track else {
                    boxes::empty(moov, &mut index.bytes, &inner);
                    continue;
                };
                require_short(track.ticks, track.scale)?;
                tracks::keep(moov, &mut index.bytes, &inner).ok_or_else(damaged)?;
                if let Some(format) = track.format {
                    index.units.push((format, merged(track.samples.clone())));
                }
                index.samples.extend(track.samples);
                (index.width, index.height) = track.dimensions;
            }
            _ => boxes::empty(moov, &mut index.bytes, &inner),
        }
    }
    if index.width == 0 || index.height == 0 {
        let codecs = "This file has no video that browsers can show. Please export it with H.264 or HEVC.";
        return Err(refused(codecs));
    }
    Ok(index)
}

fn require_short(ticks: u64, scale: u64) -> Result<()> {
    // Whole seconds are compared: a phone that stops at 2:00 records a little more.
    let seconds = ticks.checked_div(scale).ok_or_else(damaged)?;
    if seconds <= MAX_SECONDS {
        return Ok(());
    }
    let length = format!("{}:{:02}", seconds / 60, seconds % 60);
    Err(refused(&format!("The video is {length} minutes long. Please cut it to 2 minutes or less.")))
}

/// In order, and without overlaps.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// What stands for a video where a photo would be: a triangle. A picture of the video itself would need a decoder.
pub fn thumbnail() -> RgbImage {
    RgbImage::from_fn(640, 360, |x, y| {
        let (x, y) = (x as f32 - 280.0, (y as f32 - 180.0).abs());
        if x > 0.0 && y < 60.0 - x * 0.6 { Rgb([246, 240, 234]) } else { Rgb([42, 21, 36]) }
    })
}

fn unsupported() -> Error {
    Error::Unsupported("This is not a video that we can read. Please choose an MP4 or MOV file.".into())
}

fn damaged() -> Error {
    refused("The video is incomplete or damaged. Please upload it again, or export it as MP4.")
}

fn fragmented() -> Error {
    refused("The video is in pieces (a fragmented MP4). Please export it as a plain MP4 or MOV.")
}

fn refused(reason: &str) -> Error {
    Error::field("slot", reason)
}

#[cfg(test)]
mod tests;
