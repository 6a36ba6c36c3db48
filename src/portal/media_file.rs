//! The stored bytes of a photo or a video, for somebody who may see it.

use std::ops::Range;

use crate::app::App;
use crate::error::Result;
use crate::store::portal::media::{self, Blob, Kind, Medium, Size};

#[derive(Debug, Clone)]
pub struct MediaFile {
    /// Otherwise it is a picture: also the thumbnail of a video is one.
    pub is_video: bool,
    blob: Blob,
}

impl MediaFile {
    pub fn new(medium: &Medium, size: Size) -> MediaFile {
        let is_video = medium.kind == Kind::Video && size == Size::Full;
        MediaFile { is_video, blob: medium.blob(size) }
    }

    /// In bytes.
    pub fn length(&self) -> u64 {
        self.blob.bytes
    }

    pub fn sha256(&self) -> &str {
        &self.blob.sha256
    }

    /// # Errors
    /// [`crate::error::Error::Damaged`]; it may have been replaced meanwhile.
    pub fn part(&self, app: &App, range: Range<u64>) -> Result<Vec<u8>> {
        app.store.read(|connection| media::part(connection, &self.blob, range))
    }
}
