//! Compresses a backup and verifies it by reading it back; unpacks a backup for a restore.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::store::{create_private, folder_of, free_bytes};

/// The first bytes of a gzip file (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The first bytes of a SQLite file (<https://www.sqlite.org/fileformat.html>, 1.3).
const SQLITE: &[u8] = b"SQLite format 3\0";
/// The length of a SQLite file's header (same section).
const HEADER_BYTES: u64 = 100;

/// Compresses `source`, reads the result back, and compares.
pub fn compress(source: &Path, target: &Path) -> Result<()> {
    let _ = fs::remove_file(target);
    let file = create_private(target)?;
    let mut writer = GzEncoder::new(&file, Compression::default());
    let written = copy_and_hash(&mut File::open(source)?, &mut writer)?;
    writer.finish()?;
    file.sync_all()?;
    let read = copy_and_hash(&mut GzDecoder::new(BufReader::new(File::open(target)?)), &mut io::sink())?;
    if read == written {
        Ok(())
    } else {
        Err(Error::Failed("the compressed copy differs from the database.".into()))
    }
}

/// A plain or compressed backup whose header was read.
struct Packed {
    is_gzip: bool,
    header: Vec<u8>,
    rest: Box<dyn Read>,
}

/// # Errors
/// [`Error::Failed`] unless the file's header is that of a database.
fn open(file: &Path) -> Result<Packed> {
    let unreadable = |error: io::Error| Error::Failed(format!("{} cannot be read: {error}.", file.display()));
    // Reading from a device or a pipe may never end.
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(Error::Failed(format!("{} is not a regular file. Name a backup.", file.display())));
    }
    let mut source = BufReader::new(File::open(file).map_err(unreadable)?);
    let is_gzip = source.fill_buf().map_err(unreadable)?.starts_with(&GZIP);
    let mut rest: Box<dyn Read> = if is_gzip { Box::new(GzDecoder::new(source)) } else { Box::new(source) };
    let mut header = Vec::new();
    rest.by_ref().take(HEADER_BYTES).read_to_end(&mut header).map_err(unreadable)?;
    if !header.starts_with(SQLITE) {
        return Err(Error::Failed(format!("{} does not contain a database. Name a backup.", file.display())));
    }
    Ok(Packed { is_gzip, header, rest })
}

/// The size of the database in a backup, in bytes. `None` if its header does not say it.
pub fn unpacked_size(file: &Path) -> Result<Option<u64>> {
    Ok(size_in_header(&open(file)?.header))
}

/// Unpacks a plain or compressed backup to `unpacked`, replacing what is there; a failure leaves no file behind.
/// Before anything is written, the header must be that of a database that fits on the disk.
pub fn unpack_to(file: &Path, unpacked: &Path) -> Result<()> {
    let Packed { is_gzip, header, rest } = open(file)?;
    let free = free_bytes(folder_of(unpacked))?;
    let size = size_in_header(&header);
    if size.is_some_and(|size| size > free) {
        return Err(Error::Failed(format!(
            "{} cannot be unpacked to {}: it needs {} MB, and the disk has {} MB left.",
            file.display(),
            unpacked.display(),
            size.unwrap_or_default().div_ceil(1_000_000),
            free / 1_000_000
        )));
    }
    // A compressed file may expand without end, so only as many bytes are read as the header gives for the database.
    let limit = if is_gzip { size.unwrap_or(free) } else { u64::MAX };
    let _ = fs::remove_file(unpacked);
    let copy = || {
        let mut target = create_private(unpacked)?;
        let whole = header.as_slice().chain(rest);
        let mut bounded = whole.take(limit);
        io::copy(&mut bounded, &mut target)?;
        if bounded.into_inner().read(&mut [0])? > 0 {
            return Err(io::Error::other(format!(
                "there is more data after the {limit} bytes of its database"
            )));
        }
        target.sync_all()
    };
    copy().map_err(|error| {
        let _ = fs::remove_file(unpacked);
        // Either file may be the cause, or a full disk.
        Error::Failed(format!("{} cannot be unpacked to {}: {error}.", file.display(), unpacked.display()))
    })
}

/// The size of a database according to its header, in bytes; `None` if an old version of SQLite left it out
/// (<https://www.sqlite.org/fileformat.html>, 1.3.2, 1.3.7).
fn size_in_header(header: &[u8]) -> Option<u64> {
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    let page = match u16::from_be_bytes(header.get(16..18)?.try_into().ok()?) {
        1 => 65_536,
        page => u64::from(page),
    };
    let pages = number(28).filter(|pages| *pages > 0 && number(24) == number(92))?;
    Some(u64::from(pages) * page)
}

/// Copies everything and returns its SHA-256.
pub fn copy_and_hash(source: &mut impl Read, target: &mut impl Write) -> Result<Vec<u8>> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = source.read(&mut buffer)?;
        if read == 0 {
            return Ok(digest.finalize().to_vec());
        }
        digest.update(&buffer[..read]);
        target.write_all(&buffer[..read])?;
    }
}
