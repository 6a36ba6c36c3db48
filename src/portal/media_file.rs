//! The stored bytes of a photo or a video, for somebody who may see it.

use std::ops::Range;

use crate::app::App;
use crate::error::{Error, Result};
use crate::store::portal::media::{self, Blob, MediaKind, Medium, Size};

#[derive(Debug, Clone)]
pub struct MediaFile {
    /// Otherwise it is a picture: also the thumbnail of a video is one.
    pub is_video: bool,
    blob: Blob,
}

impl MediaFile {
    pub fn new(medium: &Medium, size: Size) -> MediaFile {
        let is_video = medium.kind == MediaKind::Video && size == Size::Full;
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
    /// [`Error::NotFound`]: it was removed or replaced meanwhile. [`Error::Damaged`]: bytes are missing.
    pub fn part(&self, app: &App, range: Range<u64>) -> Result<Vec<u8>> {
        app.store.read(|connection| {
            if media::get(connection, self.blob.media_id)?.is_none() {
                return Err(Error::NotFound("This file was removed or replaced meanwhile.".into()));
            }
            media::part(connection, &self.blob, range)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn a_file_that_was_removed_meanwhile_is_gone_and_not_damaged() {
        let (_folder, app) = App::for_test(Config::default());
        let blob = Blob { media_id: 1, size: Size::Full, sha256: String::new(), bytes: 3, upload_id: None };
        let gone = MediaFile { is_video: false, blob }.part(&app, 0..3);
        assert!(matches!(gone, Err(Error::NotFound(_))), "{gone:?}");
        assert!(!app.store.take_suspected_damage());
    }
}
