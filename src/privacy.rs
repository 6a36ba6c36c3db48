//! Exports or erases one person's data.

mod erase;
mod export;

use rusqlite::Connection;

pub use erase::{ErasureCounts, Everybody, count, erase, erase_everybody, everybody};
pub use export::{PersonalData, export};

use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::model::Kind;
use crate::store::registrations::person;

fn nobody(email: &EmailAddress) -> Error {
    Error::NotFound(format!("We hold no data about {email}."))
}

/// The person's registrations.
fn find(connection: &Connection, email: &EmailAddress) -> Result<Vec<(Kind, i64)>> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        found.extend(person::ids_of(connection, kind, email)?.into_iter().map(|id| (kind, id)));
    }
    Ok(found)
}
