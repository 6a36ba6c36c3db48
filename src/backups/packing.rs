//! A backup's bytes: packed and read again to see that they are the same, and unpacked.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::store::create_private;

/// The first bytes of a gzip file (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Compresses `source`, reads the result back, and compares.
pub fn compress(source: &Path, target: &Path) -> Result<()> {
    let _ = fs::remove_file(target);
    let file = create_private(target)?;
    let mut writer = GzEncoder::new(&file, Compression::default());
    let written = hash_while(&mut File::open(source)?, &mut writer)?;
    writer.finish()?;
    file.sync_all()?;
    let read = hash_while(&mut GzDecoder::new(BufReader::new(File::open(target)?)), &mut io::sink())?;
    if read == written { Ok(()) } else { Err(Error::Failed("the compressed copy reads differently.".into())) }
}

/// Unpacks a plain or compressed backup to a file that must not be there yet; nothing stays of a failure.
pub fn unpack_to(file: &Path, unpacked: &Path) -> Result<()> {
    let unreadable = |error: io::Error| Error::Failed(format!("{} cannot be read: {error}.", file.display()));
    // A device or a pipe may have no end, and be waited for in vain.
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(Error::Failed(format!("{} is no ordinary file: name a backup.", file.display())));
    }
    let mut source = BufReader::new(File::open(file).map_err(unreadable)?);
    let mut start = [0; 2];
    let is_gzip = source.read_exact(&mut start).is_ok() && start == GZIP;
    let source = BufReader::new(File::open(file).map_err(unreadable)?);
    let _ = fs::remove_file(unpacked);
    let copy = || {
        let mut target = create_private(unpacked)?;
        match is_gzip {
            true => io::copy(&mut GzDecoder::new(source), &mut target)?,
            false => io::copy(&mut { source }, &mut target)?,
        };
        target.sync_all()
    };
    copy().map_err(|error| {
        let _ = fs::remove_file(unpacked);
        // Either file may be the reason, or a disk without room.
        Error::Failed(format!("{} cannot be unpacked to {}: {error}.", file.display(), unpacked.display()))
    })
}

fn hash_while(source: &mut impl Read, target: &mut impl Write) -> Result<Vec<u8>> {
    let mut digest = Sha256::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        let read = source.read(&mut part)?;
        if read == 0 {
            return Ok(digest.finalize().to_vec());
        }
        digest.update(&part[..read]);
        target.write_all(&part[..read])?;
    }
}
