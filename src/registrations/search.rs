//! One search over all kinds of registration.

use crate::app::App;
use crate::error::Result;
use crate::model::Kind;
use crate::store::registrations::{self, Found, Nomination};

/// The most that a search answers with.
pub const MOST: usize = 50;

/// The newest registrations that have this in a name, company, address, phone number or Instagram name, or are entries
/// to a category of this name; also those set aside as spam.
///
/// # Errors
/// As reading the database does.
pub fn search(app: &App, text: &str) -> Result<Vec<Found>> {
    let content = app.content();
    let nomination = |(category, subcategory): (&str, Option<&str>)| Nomination {
        category: category.to_owned(),
        subcategory: subcategory.map(str::to_owned),
    };
    let nominations: Vec<Nomination> = content.categories_called(text).into_iter().map(nomination).collect();
    app.store.read(|connection| {
        let mut found = Vec::new();
        for kind in Kind::ALL {
            found.extend(registrations::find(connection, kind, text, &nominations, MOST)?);
        }
        found.sort_by(|one, other| other.created_at.cmp(&one.created_at));
        found.truncate(MOST);
        Ok(found)
    })
}
