//! Searches registrations of all kinds.

use crate::app::App;
use crate::error::Result;
use crate::model::Kind;
use crate::store::registrations::{self, Found};

/// The maximum number of results.
pub const MAX_FOUND: usize = 50;

/// The newest registrations with this text in a name, company, address, phone number or Instagram name, and entries to a
/// category of this name. Submissions held for review are included.
pub fn search(app: &App, text: &str) -> Result<Vec<Found>> {
    let content = app.content();
    let categories = content.categories_called(text);
    app.store.read(|connection| {
        let mut found = Vec::new();
        for kind in Kind::ALL {
            found.extend(registrations::find(connection, kind, text, &categories, MAX_FOUND)?);
        }
        found.sort_by(|a, b| b.created_at.cmp(&a.created_at));
        found.truncate(MAX_FOUND);
        Ok(found)
    })
}
