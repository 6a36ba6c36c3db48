//! The tracks of a video: which of them and of their boxes are kept, and where their samples are in the file
//! (ISO/IEC 14496-12, 8.2 to 8.7).

use std::ops::Range;

use super::boxes::{self, FoundBox, child, children, u16_at, u32_at, u64_at};
use super::units::{self, Format};

/// The codecs that browsers play, by the type of their sample entry.
const PICTURES: [&[u8; 4]; 6] = [b"avc1", b"avc3", b"hvc1", b"hev1", b"av01", b"vp09"];
/// The boxes in a sample entry that a decoder needs.
const SETTINGS: [&[u8; 4]; 6] = [b"avcC", b"hvcC", b"av1C", b"vpcC", b"pasp", b"clap"];
/// The length of a sample entry before its boxes.
const FIXED: usize = 78;
/// The boxes of a track that contain other boxes.
const CONTAINERS: [&[u8; 4]; 5] = [b"edts", b"mdia", b"minf", b"stbl", b"dinf"];
/// Tables, each with the length of one entry in bytes. A table begins with its version and the number of entries.
const TABLES: [(&[u8; 4], usize); 6] =
    [(b"stts", 8), (b"ctts", 8), (b"stss", 4), (b"stsc", 12), (b"stco", 4), (b"co64", 8)];
/// Valid files nest containers three deep (mdia, minf, stbl); one more is tolerated.
const DEEPEST: usize = 4;
const MAX_SIDE: u32 = 16_384;

/// A track of pictures.
pub struct Track {
    /// The duration, in ticks.
    pub ticks: u64,
    /// Ticks per second.
    pub scale: u64,
    /// The byte ranges of the file that contain its samples.
    pub samples: Vec<Range<u64>>,
    /// The width and height at which pictures are shown.
    pub dimensions: (u32, u32),
    /// `None` if the codec has no NAL units.
    pub format: Option<Format>,
}

/// Reads a track. `None` if it is damaged. `Some(None)` if it is not kept, because it has no pictures that browsers play: a
/// camera's positions, for example, and the sound, since a voice tells a judge who it is.
pub fn read(moov: &[u8], trak: &FoundBox) -> Option<Option<Track>> {
    let mdia = child(moov, &trak.content, b"mdia")?.content;
    let handler = child(moov, &mdia, b"hdlr")?.content;
    if moov.get(handler.start + 8..handler.start + 12)? != b"vide" {
        return Some(None);
    }
    let stbl = child(moov, &child(moov, &mdia, b"minf")?.content, b"stbl")?.content;
    let descriptions = descriptions(moov, &child(moov, &stbl, b"stsd")?)?;
    if !descriptions.iter().all(|entry| PICTURES.contains(&&entry.kind)) {
        return Some(None);
    }
    let (_, scale) = duration(moov, &child(moov, &mdia, b"mdhd")?)?;
    let formats = descriptions.iter().map(|entry| Format::read(moov, entry)).collect::<Option<Vec<_>>>()?;
    let format = formats.first().copied()?;
    if formats.iter().any(|other| *other != format) {
        return None;
    }
    Some(Some(Track {
        ticks: ticks(moov, &stbl)?,
        scale,
        samples: samples(moov, &stbl)?,
        dimensions: dimensions(moov, trak, descriptions.first()?)?,
        format,
    }))
}

/// The duration in ticks and the ticks per second, from `mvhd` or `mdhd`.
pub fn duration(moov: &[u8], found: &FoundBox) -> Option<(u64, u64)> {
    let content = moov.get(found.content.clone())?;
    let (scale, ticks) = match content.first()? {
        0 => (u32_at(content, 12)?, u64::from(u32_at(content, 16)?)),
        _ => (u32_at(content, 20)?, u64_at(content, 24)?),
    };
    // With all bits set, the duration is unknown.
    let ticks = if ticks == u64::from(u32::MAX) || ticks == u64::MAX { 0 } else { ticks };
    Some((ticks, u64::from(scale)))
}

/// How long the samples last, in ticks.
fn ticks(moov: &[u8], stbl: &Range<usize>) -> Option<u64> {
    let stts = child(moov, stbl, b"stts")?;
    entries(moov, &stts, 8)?
        .map(|entry| u64::from(number(entry, 0)) * u64::from(number(entry, 4)))
        .try_fold(0_u64, u64::checked_add)
}

/// The byte range of each chunk of samples in the file. `None` if the tables contradict each other.
fn samples(moov: &[u8], stbl: &Range<usize>) -> Option<Vec<Range<u64>>> {
    let offsets: Vec<u64> = match child(moov, stbl, b"stco") {
        Some(stco) => entries(moov, &stco, 4)?.map(|entry| number(entry, 0).into()).collect(),
        None => {
            entries(moov, &child(moov, stbl, b"co64")?, 8)?.filter_map(|entry| u64_at(entry, 0)).collect()
        }
    };
    let stsc = child(moov, stbl, b"stsc")?;
    // Each run has the number of its first chunk and the number of samples in each of its chunks.
    let runs: Vec<(u32, u32)> =
        entries(moov, &stsc, 12)?.map(|entry| (number(entry, 0), number(entry, 4))).collect();
    let stsz = child(moov, stbl, b"stsz")?.content;
    let (size, count) = (u32_at(moov, stsz.start + 4)?, u32_at(moov, stsz.start + 8)? as usize);
    let sizes = moov.get(stsz.start + 12..stsz.end)?.as_chunks::<4>().0;
    if size == 0 && sizes.len() < count {
        return None;
    }
    let (mut found, mut run, mut done) = (Vec::with_capacity(offsets.len()), 0, 0);
    for (chunk, offset) in (1_u32..).zip(offsets) {
        while runs.get(run + 1).is_some_and(|(first, _)| *first <= chunk) {
            run += 1;
        }
        let next = (done + runs.get(run)?.1 as usize).min(count);
        let length = match size {
            0 => sizes[done..next].iter().map(|size| u64::from(u32::from_be_bytes(*size))).sum(),
            size => u64::from(size).checked_mul((next - done) as u64)?,
        };
        found.push(offset..offset.checked_add(length)?);
        done = next;
    }
    Some(found)
}

/// The entries of a table. `None` if the table has fewer than it says.
fn entries<'a>(
    moov: &'a [u8],
    table: &FoundBox,
    length: usize,
) -> Option<impl Iterator<Item = &'a [u8]> + use<'a>> {
    let count = u32_at(moov, table.content.start + 4)? as usize;
    let from = table.content.start + 8;
    let to = from.checked_add(count.checked_mul(length)?).filter(|to| *to <= table.content.end)?;
    Some(moov.get(from..to)?.chunks_exact(length))
}

/// The number at a place within an entry, which must be long enough.
fn number(entry: &[u8], at: usize) -> u32 {
    u32_at(entry, at).unwrap_or_default()
}

/// The width and height at which the track is shown. `None` if they are damaged or larger than [`MAX_SIDE`].
fn dimensions(moov: &[u8], trak: &FoundBox, description: &FoundBox) -> Option<(u32, u32)> {
    let content = child(moov, &trak.content, b"tkhd")?.content;
    let matrix = content.start + if *moov.get(content.start)? == 0 { 40 } else { 52 };
    let side = |at: usize, coded: usize| {
        let shown = u32_at(moov.get(..content.end)?, at)? >> 16;
        let coded = u16_at(moov, description.content.start + coded)?;
        Some(if shown == 0 { u32::from(coded) } else { shown })
    };
    let (width, height) = (side(matrix + 36, 24)?, side(matrix + 40, 26)?);
    // The matrix turns the picture by 90 or 270 degrees.
    let is_turned = u32_at(moov, matrix)? == 0 && u32_at(moov, matrix + 4)? != 0;
    let is_possible = (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height);
    is_possible.then_some(if is_turned { (height, width) } else { (width, height) })
}

/// Copies to `target` what a player needs of a track. `None` if the track is damaged.
pub fn keep(source: &[u8], target: &mut [u8], trak: &FoundBox) -> Option<()> {
    keep_container(source, target, trak, DEEPEST)
}

fn keep_container(source: &[u8], target: &mut [u8], container: &FoundBox, depth: usize) -> Option<()> {
    boxes::keep(source, target, container, 0);
    for found in children(source, container.content.clone())? {
        match &found.kind {
            kind if CONTAINERS.contains(&kind) => {
                keep_container(source, target, &found, depth.checked_sub(1)?)?;
            }
            b"mdhd" | b"tkhd" => keep_header(source, target, &found),
            b"stsd" => keep_descriptions(source, target, &found)?,
            b"dref" => keep_references(source, target, &found)?,
            // The handler's type is kept, but not its name, which follows.
            b"hdlr" | b"vmhd" => boxes::keep(source, target, &found, 12),
            b"stsz" => {
                let has_sizes = u32_at(source, found.content.start + 4)? == 0;
                let sizes = if has_sizes { table_length(source, &found, 8, 4)? } else { 0 };
                boxes::keep(source, target, &found, 12 + sizes);
            }
            b"elst" => {
                let entry = if *source.get(found.content.start)? == 0 { 12 } else { 20 };
                boxes::keep(source, target, &found, 8 + table_length(source, &found, 4, entry)?);
            }
            kind => match TABLES.iter().find(|(table, _)| table == &kind) {
                Some((_, entry)) => {
                    boxes::keep(source, target, &found, 8 + table_length(source, &found, 4, *entry)?);
                }
                None => boxes::empty(source, target, &found),
            },
        }
    }
    Some(())
}

/// The length in bytes of all of a table's entries. Their number stands at `at`, and `entry` is the length of one.
fn table_length(source: &[u8], table: &FoundBox, at: usize, entry: usize) -> Option<usize> {
    let length = (u32_at(source, table.content.start + at)? as usize).checked_mul(entry)?;
    (length <= table.content.len()).then_some(length)
}

/// Keeps `mvhd`, `tkhd` or `mdhd`, without the times of creation and modification and without the language.
pub fn keep_header(source: &[u8], target: &mut [u8], found: &FoundBox) {
    let is_long = source.get(found.content.start) == Some(&1);
    let (length, times) = if is_long { (12, 16) } else { (0, 8) };
    let length = length
        + match &found.kind {
            b"mvhd" => 100,
            b"tkhd" => 84,
            _ => 20,
        };
    boxes::keep(source, target, found, length);
    let kept = &mut target[found.content.clone()];
    let until = kept.len().min(4 + times);
    kept[until.min(4)..until].fill(0);
}

/// Keeps the references that say that the data is in this file, without the file name that they may contain. `None` if
/// the data is in another file.
fn keep_references(source: &[u8], target: &mut [u8], dref: &FoundBox) -> Option<()> {
    boxes::keep(source, target, dref, 8);
    for reference in children(source, dref.content.start + 8..dref.content.end)? {
        let is_own = u32_at(source, reference.content.start)? & 1 == 1;
        boxes::keep(source, target, &reference, 4);
        if !is_own {
            return None;
        }
    }
    Some(())
}

/// The sample entries of a track. `None` if there are none.
fn descriptions(source: &[u8], stsd: &FoundBox) -> Option<Vec<FoundBox>> {
    children(source, stsd.content.start + 8..stsd.content.end).filter(|found| !found.is_empty())
}

/// Keeps the sample entries, without the names of encoders and their vendors.
fn keep_descriptions(source: &[u8], target: &mut [u8], stsd: &FoundBox) -> Option<()> {
    boxes::keep(source, target, stsd, 8);
    for description in descriptions(source, stsd)? {
        let start = description.content.start;
        if start + FIXED > description.content.end {
            return None;
        }
        boxes::keep(source, target, &description, FIXED);
        for range in [8..24, 42..74] {
            target[start + range.start..start + range.end].fill(0);
        }
        keep_settings(source, target, start + FIXED..description.content.end)?;
    }
    Some(())
}

fn keep_settings(source: &[u8], target: &mut [u8], settings: Range<usize>) -> Option<()> {
    for found in children(source, settings)? {
        match &found.kind {
            kind if SETTINGS.contains(&kind) => {
                boxes::keep(source, target, &found, found.content.len());
                if kind == b"hvcC" {
                    units::clean_settings(&mut target[found.content])?;
                }
            }
            // Four numbers; the other kind of `colr` is a colour profile, which contains texts.
            b"colr" if source.get(found.content.start..)?.starts_with(b"ncl") => {
                boxes::keep(source, target, &found, 11);
            }
            _ => boxes::empty(source, target, &found),
        }
    }
    Some(())
}
