//! The event's content in the database: the newest revision is the one that is shown, the compiled-in
//! default before the first import.

use crate::content::Content;
use crate::error::{Error, Result};
use crate::store::{Store, content_revisions};

/// The content to show.
///
/// # Errors
/// [`Error::Failed`] when the stored revision does not pass this program's checks.
pub fn current(store: &Store) -> Result<Content> {
    let stored = store.read(content_revisions::newest)?;
    let text = stored.as_deref().unwrap_or(Content::default_toml());
    Content::parse(text).map_err(|problems| {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        Error::Failed(format!("The stored content cannot be used: {first}"))
    })
}
