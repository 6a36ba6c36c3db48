//! Creates the nominations of a paid entry, withdraws and reinstates them, and lists those of one person.

use rusqlite::Connection;
use serde_json::json;

use super::releases::create as create_release;
use super::transitions::{Step, after};
use crate::error::{Error, Result};
use crate::model::{Actor, EntryId, NominationState};
use crate::store::audit;
use crate::store::portal::{access, media, nominations, releases};

pub use crate::store::portal::media::Medium;
pub use crate::store::portal::nominations::Nomination;
pub use crate::store::portal::releases::SignedRelease;

/// How many codes of three digits are drawn before a longer one is tried.
const SHORT_DRAWS: u32 = 200;
const LONG_DRAWS: u32 = 200;

/// Creates one nomination for each category of an entry, within the transaction that settles it. An entry that has
/// nominations keeps them.
pub fn create(connection: &Connection, entry_id: EntryId, at: &str) -> Result<()> {
    if !nominations::of_entry(connection, entry_id)?.is_empty() {
        return Ok(());
    }
    for (category, sub_category) in nominations::chosen_categories(connection, entry_id)? {
        insert(connection, entry_id, (&category, &sub_category), at)?;
    }
    Ok(())
}

fn insert(
    connection: &Connection,
    entry_id: EntryId,
    (category, sub_category): (&str, &str),
    at: &str,
) -> Result<()> {
    let letters = letters_of(category);
    for draws in 0..SHORT_DRAWS + LONG_DRAWS {
        let code = draw_code(&letters, draws);
        if nominations::insert(connection, entry_id, category, sub_category, &code, at)? {
            return create_release(connection, connection.last_insert_rowid());
        }
    }
    Err(Error::Internal(format!("no code is left for a nomination to {category}")))
}

/// Adapts the nominations to a correction of an entry's categories: withdraws those in categories that the entry no longer
/// has, and makes one for each new category. The entry takes part.
pub fn update_categories(
    connection: &Connection,
    entry_id: EntryId,
    chosen: &[(&str, &str)],
    at: &str,
) -> Result<()> {
    let existing = nominations::of_entry(connection, entry_id)?;
    if existing.is_empty() {
        return Ok(());
    }
    for nomination in &existing {
        if !chosen.contains(&category_of(nomination)) {
            withdraw_because(connection, &Actor::Program, nomination, None, at)?;
        } else if !nomination.is_withdrawn_alone() {
            reinstate_one(connection, &Actor::Program, nomination, at)?;
        }
    }
    for category in chosen {
        if !existing.iter().any(|nomination| category_of(nomination) == *category) {
            insert(connection, entry_id, *category, at)?;
        }
    }
    Ok(())
}

fn category_of(nomination: &Nomination) -> (&str, &str) {
    (&nomination.category, &nomination.sub_category)
}

/// Withdraws the nominations of an entry that was withdrawn, or refunded as a whole.
pub fn withdraw(connection: &Connection, entry_id: EntryId, at: &str) -> Result<()> {
    for nomination in nominations::of_entry(connection, entry_id)? {
        if !nomination.is_withdrawn_alone() {
            withdraw_because(connection, &Actor::Program, &nomination, None, at)?;
        }
    }
    Ok(())
}

/// Brings back the nominations of an entry that was reinstated, or whose refund failed, and makes them if it has none.
/// Nominations that were withdrawn one by one stay withdrawn. Its categories may have been corrected meanwhile.
pub fn reinstate(connection: &Connection, entry_id: EntryId, at: &str) -> Result<()> {
    create(connection, entry_id, at)?;
    let chosen = nominations::chosen_categories(connection, entry_id)?;
    let chosen: Vec<(&str, &str)> = chosen.iter().map(|(category, sub)| (&**category, &**sub)).collect();
    update_categories(connection, entry_id, &chosen, at)
}

/// Withdraws one nomination of an entry and keeps the others; the competitor is told the reason. `false` if its state
/// does not allow it.
pub fn withdraw_one(
    connection: &Connection,
    actor: &Actor,
    nomination: &Nomination,
    reason: &str,
    at: &str,
) -> Result<bool> {
    withdraw_because(connection, actor, nomination, Some(reason), at)
}

fn withdraw_because(
    connection: &Connection,
    actor: &Actor,
    nomination: &Nomination,
    reason: Option<&str>,
    at: &str,
) -> Result<bool> {
    if after(nomination.state, Step::Withdraw).is_none() {
        return Ok(false);
    }
    nominations::withdraw(connection, nomination.id, reason)?;
    record_action(connection, actor, nomination, "nomination withdrawn", at)?;
    Ok(true)
}

/// Reverses [`withdraw_one`], also after the deadline. A nomination that is not withdrawn stays as it is.
pub fn reinstate_one(
    connection: &Connection,
    actor: &Actor,
    nomination: &Nomination,
    at: &str,
) -> Result<()> {
    if nomination.state != NominationState::Withdrawn {
        return Ok(());
    }
    nominations::reinstate(connection, nomination.id)?;
    record_action(connection, actor, nomination, "nomination reinstated", at)
}

fn record_action(
    connection: &Connection,
    actor: &Actor,
    nomination: &Nomination,
    action: &str,
    at: &str,
) -> Result<()> {
    let subject = Some(nomination.entry_id.registration());
    let line = audit::Line { actor, action, subject };
    audit::insert_with(connection, at, &line, &json!({ "code": nomination.code }))
}

/// What is stored of a nomination, for the export of its person.
pub struct StoredNomination {
    pub nomination: Nomination,
    pub media: Vec<Medium>,
    pub release: Option<SignedRelease>,
}

/// The nominations of an entry with all that is stored of them.
pub fn of_entry(connection: &Connection, entry_id: EntryId) -> Result<Vec<StoredNomination>> {
    let mut stored = Vec::new();
    for nomination in nominations::of_entry(connection, entry_id)? {
        let media = media::of_nomination(connection, nomination.id)?;
        let release = releases::signed(connection, nomination.id)?;
        stored.push(StoredNomination { nomination, media, release });
    }
    Ok(stored)
}

/// Deletes the sessions, links and codes of a person who is erased.
pub fn erase_access(connection: &Connection, email: &str) -> Result<()> {
    for audience in [access::Audience::Competitors, access::Audience::Judges] {
        access::delete_of(connection, audience, email)?;
    }
    Ok(())
}

/// The two letters at the start of a code: the initials of the slug's first two words, or the first two letters of a single word.
fn letters_of(category: &str) -> String {
    let words = || category.split('-').filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let letters = if words().count() > 1 {
        words().filter_map(|word| word.chars().next()).take(2).collect::<String>()
    } else {
        category.chars().filter(char::is_ascii_alphabetic).take(2).collect()
    };
    format!("{:X<2}", letters.to_ascii_uppercase())
}

/// A random code such as `LL-317`. When hardly any number of three digits is free, one of six is drawn, so that no payment
/// fails for lack of a code.
fn draw_code(letters: &str, draws: u32) -> String {
    let number = if draws < SHORT_DRAWS {
        rand::random_range(100..1_000)
    } else {
        rand::random_range(100_000..1_000_000)
    };
    format!("{letters}-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_begins_with_two_letters_of_its_category() {
        for (category, letters) in [
            ("lash-lift", "LL"),
            ("lash-extensions", "LE"),
            ("brows", "BR"),
            ("makeup", "MA"),
            ("a", "AX"),
            ("3d-brows", "DB"),
            ("best-3-brows", "BB"),
            ("42", "XX"),
        ] {
            assert_eq!(letters_of(category), letters, "{category}");
        }
    }

    #[test]
    fn a_code_has_three_digits_until_they_run_out() {
        for draws in [0, 1, SHORT_DRAWS - 1] {
            let code = draw_code("LL", draws);
            assert!(code.len() == 6 && code[3..].parse::<u32>().is_ok(), "{code}");
        }
        assert_eq!(draw_code("LL", SHORT_DRAWS).len(), 9);
    }
}
