//! Sheets: one for each judge and nomination, with the random tokens by which a judge names them and their photos.

use rusqlite::Connection;

use super::judges::IS_OF;
use crate::error::Result;
use crate::model::{NominationState, RELEASE_SLOT, text_enum};
use crate::store::portal::media::MediaKind;
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    /// The state of a sheet. A conflict, an abstention and a sheet that is not begun are different states.
    pub enum SheetState, "a state of a sheet" {
        Open = "open",
        Saved = "saved",
        Confirmed = "confirmed",
        Conflict = "conflict",
        Abstained = "abstained",
        SecondLook = "second_look",
    }
}

text_enum! {
    pub enum SecondLookState, "a state of a second look" {
        /// Computed, never stored.
        Suggested = "suggested",
        Asked = "asked",
        Kept = "kept",
        Changed = "changed",
    }
}

impl SheetState {
    /// Whether the judge does not score this nomination.
    pub const fn is_out(self) -> bool {
        matches!(self, SheetState::Conflict | SheetState::Abstained)
    }

    /// Whether the judge has confirmed it; also while a second look is asked for.
    pub const fn was_confirmed(self) -> bool {
        matches!(self, SheetState::Confirmed | SheetState::SecondLook)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub id: i64,
    pub judge_id: i64,
    pub nomination_id: i64,
    pub token: String,
    pub position: i64,
    pub state: SheetState,
    pub replaces: Option<i64>,
    pub reason: Option<String>,
    pub comment: String,
    pub saved_at: Option<String>,
    pub paper_by: Option<String>,
    pub second_look: Option<SecondLookState>,
    pub second_look_reason: Option<String>,
    pub code: String,
    pub category: String,
    pub sub_category: String,
    pub nomination_state: NominationState,
}

from_row!(
    Sheet:
    id, judge_id, nomination_id, token, position, state, replaces, reason, comment, saved_at, paper_by,
    second_look, second_look_reason, code, category, sub_category, nomination_state
);

const SELECT: &str = "select sheets.id, judge_id, nomination_id, token, position, sheets.state, replaces, sheets.reason, comment,
     saved_at, paper_by, second_look, second_look_reason, code, category, sub_category, nominations.state
     from sheets join nominations on nominations.id = nomination_id";

/// Stores an open sheet. The log may have lines about this judge and nomination already: a reserve's sheet is deleted when the
/// conflict is removed (`judging::conflicts::remove`).
pub fn insert(
    connection: &Connection,
    (judge_id, nomination_id): (i64, i64),
    (token, position): (&str, i64),
    replaces: Option<i64>,
    at: &str,
) -> Result<()> {
    let sql = "insert into sheets (created_at, judge_id, nomination_id, token, position, replaces)
             values (?, ?, ?, ?, ?, ?)";
    execute(connection, sql, (at, judge_id, nomination_id, token, position, replaces))
}

/// A judge's sheet by its token.
pub fn find(connection: &Connection, judge_id: i64, token: &str) -> Result<Option<Sheet>> {
    let sql = format!("{SELECT} where judge_id = ? and token = ?");
    query_optional(connection, &sql, (judge_id, token), Sheet::from_row)
}

/// All sheets of a judge, in the judge's own order.
pub fn of_judge(connection: &Connection, judge_id: i64) -> Result<Vec<Sheet>> {
    let sql = format!("{SELECT} where judge_id = ? order by position");
    query_all(connection, &sql, [judge_id], Sheet::from_row)
}

/// All sheets of a subcategory, by code and judge.
pub fn of_category(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Sheet>> {
    let sql = format!("{SELECT} where category = ? and sub_category = ? order by code, judge_id");
    query_all(connection, &sql, (category, sub_category), Sheet::from_row)
}

/// Sets a state without a reason.
pub fn set_state(connection: &Connection, id: i64, state: SheetState) -> Result<()> {
    execute(connection, "update sheets set state = ?2, reason = null where id = ?1", (id, state))
}

pub fn set_state_because(connection: &Connection, id: i64, state: SheetState, reason: &str) -> Result<()> {
    let sql = "update sheets set state = ?2, reason = ?3 where id = ?1";
    execute(connection, sql, (id, state, reason))
}

/// Turns the sheets that a judge has not confirmed into abstentions, so that a reserve takes over.
pub fn abstain_all(connection: &Connection, email: &str, reason: &str) -> Result<()> {
    let sql = format!(
        "update sheets set state = 'abstained', reason = ?2
         where state in ('open', 'saved') and judge_id in (select id from judges where {IS_OF})"
    );
    execute(connection, &sql, (email, reason))
}

pub fn mark_saved(connection: &Connection, id: i64, at: &str) -> Result<()> {
    let sql = "update sheets set state = case state when 'open' then 'saved' else state end, saved_at = ?2 where id = ?1";
    execute(connection, sql, (id, at))
}

pub fn confirm(connection: &Connection, id: i64, at: &str) -> Result<()> {
    let sql = "update sheets set state = 'confirmed', confirmed_at = ?2 where id = ?1";
    execute(connection, sql, (id, at))
}

pub fn set_comment(connection: &Connection, id: i64, comment: &str) -> Result<()> {
    execute(connection, "update sheets set comment = ?2 where id = ?1", (id, comment))
}

/// Stores who has typed in the sheet from paper.
pub fn set_paper(connection: &Connection, id: i64, by: &str) -> Result<()> {
    execute(connection, "update sheets set paper_by = ?2 where id = ?1", (id, by))
}

/// The judge has changed what was typed in from paper.
pub fn clear_paper(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "update sheets set paper_by = null where id = ?", [id])
}

/// Sets the state of a second look, and why the judge kept or changed the points.
pub fn set_second_look(
    connection: &Connection,
    id: i64,
    state: SecondLookState,
    reason: Option<&str>,
) -> Result<()> {
    let sql = "update sheets set second_look = ?2, second_look_reason = ?3 where id = ?1";
    execute(connection, sql, (id, state, reason))
}

/// No second look is asked any more.
pub fn clear_second_look(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "update sheets set second_look = null, second_look_reason = null where id = ?", [id])
}

/// Deletes the sheets of a judge that were not begun.
pub fn delete_all_open(connection: &Connection, judge_id: i64) -> Result<()> {
    execute(connection, "delete from sheets where judge_id = ? and state = 'open'", [judge_id])
}

/// Like [`delete_all_open`], in one subcategory.
pub fn delete_open(
    connection: &Connection,
    judge_id: i64,
    (category, sub_category): (&str, &str),
) -> Result<()> {
    let sql = "delete from sheets where judge_id = ? and state = 'open' and nomination_id in
             (select id from nominations where category = ? and sub_category = ?)";
    execute(connection, sql, (judge_id, category, sub_category))
}

/// Adapts the sheets that reserves have not begun to a new panel. Those that are still needed keep their tokens, because the
/// reserve may have scored without a connection; a reserve who is one of the judges now has them as a judge. Those in place of
/// a judge who scores the nomination, or is not in the panel any more, are deleted. A judge who was removed scores nothing.
pub fn update_replacements(
    connection: &Connection,
    category_id: i64,
    (category, sub_category): (&str, &str),
) -> Result<()> {
    let parameters = (category_id, category, sub_category);
    connection.execute(
        "update sheets set replaces = null where state = 'open' and nomination_id in
             (select id from nominations where category = ?2 and sub_category = ?3)
         and judge_id in (select judge_id from panels where category_id = ?1 and role <> 'reserve')",
        parameters,
    )?;
    let sql = "delete from sheets where replaces is not null and state = 'open' and nomination_id in
             (select id from nominations where category = ?2 and sub_category = ?3)
         and not (
             replaces in (select judge_id from panels where category_id = ?1 and role <> 'reserve')
             and (exists (select 1 from judging_conflicts as conflict
                     where conflict.judge_id = sheets.replaces and conflict.nomination_id = sheets.nomination_id)
                 or exists (select 1 from judges where judges.id = sheets.replaces and removed_at is not null)
                 or exists (select 1 from sheets as replaced
                     where replaced.judge_id = sheets.replaces and replaced.nomination_id = sheets.nomination_id
                     and replaced.state in ('conflict', 'abstained'))))";
    execute(connection, sql, parameters)
}

/// Deletes the sheets for one nomination that reserves have in place of a judge and have not begun.
pub fn delete_open_replacements_for(
    connection: &Connection,
    nomination_id: i64,
    judge_id: i64,
) -> Result<()> {
    let sql = "delete from sheets where nomination_id = ? and replaces = ? and state = 'open'";
    execute(connection, sql, (nomination_id, judge_id))
}

pub fn delete_if_open(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "delete from sheets where id = ? and state = 'open'", [id])
}

/// A photo as a judge knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoToken {
    pub token: String,
    pub slot: String,
    pub kind: MediaKind,
    pub width: u32,
    pub height: u32,
}

from_row!(PhotoToken: token, slot, kind, width, height);

/// A photo that a judge was not given yet.
#[derive(Debug, Clone, Copy)]
pub struct NewPhoto {
    pub judge: i64,
    pub nomination: i64,
    pub medium: i64,
}

from_row!(NewPhoto: judge, nomination, medium);

/// The photos of a subcategory for which a judge with a sheet has no token yet. A photo of a release never gets one: no judge
/// sees it.
pub fn photos_without_token(
    connection: &Connection,
    category: &str,
    sub_category: &str,
) -> Result<Vec<NewPhoto>> {
    let sql = "select sheets.judge_id, sheets.nomination_id, media.id from sheets
         join nominations on nominations.id = sheets.nomination_id join media on media.nomination_id = nominations.id
         where category = ? and sub_category = ? and slot <> ? and not exists
             (select 1 from photo_tokens where media_id = media.id and judge_id = sheets.judge_id)";
    query_all(connection, sql, (category, sub_category, RELEASE_SLOT), NewPhoto::from_row)
}

pub fn insert_photo_token(connection: &Connection, token: &str, judge_id: i64, media_id: i64) -> Result<()> {
    let sql = "insert into photo_tokens (token, judge_id, media_id) values (?, ?, ?)";
    execute(connection, sql, (token, judge_id, media_id))
}

pub fn photos(connection: &Connection, judge_id: i64, nomination_id: i64) -> Result<Vec<PhotoToken>> {
    let sql = "select token, slot, kind, width, height from photo_tokens join media on media.id = media_id
         where judge_id = ? and nomination_id = ?";
    query_all(connection, sql, (judge_id, nomination_id), PhotoToken::from_row)
}

/// The medium and the nomination behind a judge's photo.
pub fn photo(connection: &Connection, judge_id: i64, token: &str) -> Result<Option<(i64, i64)>> {
    let sql = "select media_id, nomination_id from photo_tokens join media on media.id = media_id
         where token = ? and judge_id = ?";
    query_optional(connection, sql, (token, judge_id), |row| row.try_into())
}

/// Judge and nomination, where a member of a panel has no token yet by which to name the competitor.
pub fn entrants_without_token(connection: &Connection, category_id: i64) -> Result<Vec<(i64, i64)>> {
    let sql = "select judge_id, nominations.id from judged_categories as judged
         join panels on category_id = judged.id join nominations using (category, sub_category)
         where judged.id = ? and not exists
             (select 1 from entrant_tokens where judge_id = panels.judge_id and nomination_id = nominations.id)";
    query_all(connection, sql, [category_id], |row| row.try_into())
}

pub fn insert_entrant_token(
    connection: &Connection,
    token: &str,
    (judge_id, nomination_id): (i64, i64),
) -> Result<()> {
    let sql = "insert into entrant_tokens (token, judge_id, nomination_id) values (?, ?, ?)";
    execute(connection, sql, (token, judge_id, nomination_id))
}

pub fn entrant_token(connection: &Connection, judge_id: i64, nomination_id: i64) -> Result<Option<String>> {
    let sql = "select token from entrant_tokens where judge_id = ? and nomination_id = ?";
    query_optional(connection, sql, (judge_id, nomination_id), |row| row.get(0))
}

pub fn entrant(connection: &Connection, judge_id: i64, token: &str) -> Result<Option<i64>> {
    let sql = "select nomination_id from entrant_tokens where judge_id = ? and token = ?";
    query_optional(connection, sql, (judge_id, token), |row| row.get(0))
}
