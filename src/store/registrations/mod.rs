//! Registrations, one table per kind. The columns come from the form's fields, so that a field is named once.

mod categories;
mod insert;
pub mod person;
mod search;
mod stored;

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};
use sha2::{Digest, Sha256};

pub use categories::{InUse, Unpaid, categories_in_use};
pub use insert::{ExtraColumns, insert, replace, set_answers};
pub use search::{Found, find};
pub use stored::{Earlier, Stored, agreed_to, earlier, get, require, set_status};

use super::invitations;
use crate::error::Result;
use crate::forms::form;
use crate::model::{Kind, PaymentStatus};
use crate::store::query::query_all;
use crate::time;

/// Selects registrations that meet all of these conditions. Without a status, those held for review are left out.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    /// Created at this instant or later.
    pub from: Option<DateTime<Utc>>,
    /// Created before this instant.
    pub until: Option<DateTime<Utc>>,
    /// A review status, [`STATUS_OPEN`], [`STATUS_DUE`] or, for entries, a payment status.
    pub status: Option<String>,
    /// With [`STATUS_DUE`]: created before this instant. `None`: none is due.
    pub due_before: Option<DateTime<Utc>>,
    /// Searched in names, companies, addresses, phone numbers and Instagram names, ignoring case.
    pub search: Option<String>,
    /// A category's slug: only entries with it as their primary or an additional category.
    pub category: Option<String>,
    /// Leaves out abandoned and failed entries. Ignored if there is a status.
    pub without_abandoned: bool,
}

/// The filter status for registrations that wait for an answer: new ones and those in review.
pub const STATUS_OPEN: &str = "open";

/// The filter status for registrations that have waited too long: those of [`STATUS_OPEN`], and entries that are not paid, that
/// were created before [`Filter::due_before`].
pub const STATUS_DUE: &str = "due";

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// A column of the kind's table, from [`sortable`].
    pub sort: String,
    pub descending: bool,
    pub limit: u32,
    pub offset: u32,
}

/// A column of lists and exports that is not a field of a form.
pub struct Column {
    /// In JSON.
    pub name: &'static str,
    /// The SQL expression that computes it.
    pub sql: &'static str,
}

const fn column(name: &'static str, sql: &'static str) -> Column {
    Column { name, sql }
}

/// The columns of a kind's table that are not fields of its form.
pub fn other_columns(kind: Kind) -> &'static [Column] {
    match kind {
        Kind::CompetitionEntries => &[
            STATUS,
            PAYMENT_AMOUNT,
            PAYMENT_STATUS,
            PAYMENT_INTENT,
            PAID_AT,
            REFUNDED_AMOUNT,
            FRONT_ROW,
            ALSO_JUDGE,
            PHONE,
            INSTAGRAM,
            AGREED_TO,
            AGREED_AT,
            SET_ASIDE_REASON,
            EARLIER_ID,
        ],
        Kind::SpeakerApplications | Kind::JudgeApplications | Kind::ProfessionalDemoRegistrations => {
            &[STATUS, PHONE, INSTAGRAM, AGREED_TO, AGREED_AT, SET_ASIDE_REASON, EARLIER_ID]
        }
        Kind::SponsorApplications => &[STATUS, PHONE, AGREED_TO, AGREED_AT, SET_ASIDE_REASON, EARLIER_ID],
        Kind::WaitlistSignups => {
            &[STATUS, INSTAGRAM, SET_ASIDE_REASON, EARLIER_ID, INVITATION, INVITATION_ENDS_AT]
        }
        Kind::SponsorInquiries => &[STATUS, SET_ASIDE_REASON, EARLIER_ID],
    }
}

const STATUS: Column = column("status", "status");
const PAYMENT_AMOUNT: Column = column("paymentAmount", "payment_amount_cents");
const PAYMENT_STATUS: Column = column("paymentStatus", "payment_status");
const PAYMENT_INTENT: Column = column("stripePaymentIntentId", "stripe_payment_intent_id");
const PAID_AT: Column = column("paidAt", "paid_at");
const REFUNDED_AMOUNT: Column = column("refundedAmount", "refunded_cents");
/// Where a paid entry that takes part sits at the ceremony: three nominations are VIP seating in the front row, and the first
/// paid entries with two or more have a guaranteed place there (docs/reference.md, "Rules of the event"). A nomination that was
/// withdrawn counts no more.
pub(super) const FRONT_ROW: Column = column(
    "frontRow",
    concat!(
        "case when payment_status not in ('paid', 'partially_refunded', 'complimentary')
              or status in ('withdrawn', 'declined') then null
         else case ",
        additional_nominations!(),
        " when 2 then iif(front_row = 1, 'vip, guaranteed', 'vip') when 1 then iif(front_row = 1, 'guaranteed', null) end end"
    ),
);
/// A judge cannot also compete (docs/reference.md, "Rules of the event").
const ALSO_JUDGE: Column = column(
    "alsoJudge",
    "case when exists (select 1 from judge_applications as judge
     where judge.email = competition_entries.email collate nocase
     and judge.status not in ('declined', 'withdrawn', 'set_aside')) then 'yes' else 'no' end",
);
const INVITATION: Column = column("invitation", invitations::STATE);
const INVITATION_ENDS_AT: Column = column("invitationEndsAt", invitations::ENDS_AT);
const PHONE: Column = column("phoneNormalised", "phone_normalised");
const INSTAGRAM: Column = column("instagramNormalised", "instagram_normalised");
const AGREED_TO: Column = column("agreedTo", "agreed_to");
const AGREED_AT: Column = column("agreedAt", "agreed_at");
const SET_ASIDE_REASON: Column = column("setAsideReason", "set_aside_reason");
const EARLIER_ID: Column = column("earlierId", "earlier_id");

pub fn table(kind: Kind) -> String {
    kind.as_str().replace('-', "_")
}

/// The number of all rows, in any state.
pub fn count_all(connection: &Connection, kind: Kind) -> Result<i64> {
    let sql = format!("select count(*) from {}", table(kind));
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}

/// The number of rows that match a filter.
pub fn count(connection: &Connection, kind: Kind, filter: &Filter) -> Result<i64> {
    let (clause, values) = condition(kind, filter);
    let sql = format!("select count(*) from {} where {clause}", table(kind));
    Ok(connection.prepare_cached(&sql)?.query_row(params_from_iter(values), |row| row.get(0))?)
}

/// The ids and names of the newest `limit` rows that match a filter.
pub fn newest_names(
    connection: &Connection,
    kind: Kind,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<(i64, String)>> {
    let (clause, values) = condition(kind, filter);
    let name = search_expressions(kind)[0];
    let sql = format!("select id, {name} from {} where {clause} order by id desc limit {limit}", table(kind));
    query_all(connection, &sql, params_from_iter(values), |row| row.try_into())
}

/// The number of entries by payment status, sorted by its text.
pub fn count_by_payment_status(
    connection: &Connection,
    filter: &Filter,
) -> Result<Vec<(PaymentStatus, i64)>> {
    let (clause, values) = condition(Kind::CompetitionEntries, filter);
    let sql = format!("select payment_status, count(*) from competition_entries where {clause} group by 1");
    query_all(connection, &sql, params_from_iter(values), |row| row.try_into())
}

/// Passes every matching row to `take`, oldest first: id, creation time, the form's values, then [`other_columns`].
pub fn for_each(
    connection: &Connection,
    kind: Kind,
    filter: &Filter,
    take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<()> {
    let (clause, values) = condition(kind, filter);
    select(connection, kind, &format!("{clause} order by id"), values, take)
}

/// Passes the rows of one page to `take`, as [`for_each`] does.
pub fn page(
    connection: &Connection,
    kind: Kind,
    filter: &Filter,
    page: &Page,
    take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<()> {
    let (clause, values) = condition(kind, filter);
    let direction = if page.descending { "desc" } else { "asc" };
    let order = format!("order by {} {direction}, id {direction}", page.sort);
    // The inner statement finds the page with an index alone, so whole records are read only for the rows of the page.
    let tail = format!(
        "id in (select id from {} where {clause} {order} limit {} offset {}) {order}",
        table(kind),
        page.limit,
        page.offset
    );
    select(connection, kind, &tail, values, take)
}

/// Passes one row to `take`, as [`for_each`] does; `false` if there is none.
pub fn with_id(
    connection: &Connection,
    kind: Kind,
    id: i64,
    mut take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<bool> {
    let mut found = false;
    select(connection, kind, "id = ?", vec![id.to_string()], |cells| {
        found = true;
        take(cells)
    })?;
    Ok(found)
}

/// The SHA-256 of a registration as it is stored, with the number of its newest history line; `None` when there is none.
/// The columns that depend on other records or on the time are left out.
pub fn fingerprint(connection: &Connection, kind: Kind, id: i64) -> Result<Option<Vec<u8>>> {
    let mut digest = Sha256::new();
    let others = [ALSO_JUDGE.name, FRONT_ROW.name, INVITATION.name];
    let depends_on_others: Vec<bool> =
        columns(kind).map(|(name, _)| others.contains(&name.as_str())).collect();
    let is_found = with_id(connection, kind, id, |cells| {
        for (cell, _) in cells[2..].iter().zip(&depends_on_others).filter(|(_, depends)| !**depends) {
            digest.update(format!("{cell:?}\n"));
        }
        Ok(())
    })?;
    let sql = "select coalesce(max(id), 0) from reviews where kind = ? and registration_id = ?";
    let newest: i64 = connection.prepare_cached(sql)?.query_row((kind, id), |row| row.get(0))?;
    digest.update(newest.to_string());
    Ok(is_found.then(|| digest.finalize().to_vec()))
}

/// The column with this JSON name, if a list can be sorted by it.
pub fn sortable(kind: Kind, name: &str) -> Option<String> {
    match name {
        "id" => Some("id".to_owned()),
        "createdAt" => Some("created_at".to_owned()),
        _ => columns(kind).find(|(known, _)| known == name).map(|(_, column)| column),
    }
}

/// The JSON names by which a kind's list can be sorted.
pub fn sortable_names(kind: Kind) -> impl Iterator<Item = String> {
    ["id", "createdAt"].map(str::to_owned).into_iter().chain(columns(kind).map(|(name, _)| name))
}

/// A kind's columns after the id and the creation time: JSON name and SQL expression.
fn columns(kind: Kind) -> impl Iterator<Item = (String, String)> {
    let form_columns = form(kind).fields().map(|field| (field.name.clone(), field.column().to_owned()));
    form_columns
        .chain(other_columns(kind).iter().map(|column| (column.name.to_owned(), column.sql.to_owned())))
}

fn select(
    connection: &Connection,
    kind: Kind,
    tail: &str,
    values: Vec<String>,
    mut take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<()> {
    let columns: Vec<String> = columns(kind).map(|(_, column)| column).collect();
    let sql = format!("select id, created_at, {} from {} where {tail}", columns.join(", "), table(kind));
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let cells =
            (0..columns.len() + 2).map(|index| row.get_ref(index)).collect::<rusqlite::Result<Vec<_>>>()?;
        take(&cells)?;
    }
    Ok(())
}

/// A filter as an SQL condition and the values of its parameters.
fn condition(kind: Kind, filter: &Filter) -> (String, Vec<String>) {
    let mut clauses: Vec<String> = Vec::new();
    let mut values = Vec::new();
    match &filter.status {
        None => {
            clauses.push("status <> 'set_aside'".to_owned());
            if filter.without_abandoned && kind == Kind::CompetitionEntries {
                clauses.push("payment_status not in ('abandoned', 'failed')".to_owned());
            }
        }
        Some(status) if status == STATUS_OPEN => clauses.push("status in ('new', 'in_review')".to_owned()),
        Some(status) if status == STATUS_DUE => {
            clauses.push(match kind {
                Kind::CompetitionEntries => {
                    "payment_status = 'pending' and status not in ('set_aside', 'withdrawn', 'declined')"
                        .to_owned()
                }
                _ => "status in ('new', 'in_review')".to_owned(),
            });
            clauses.push("created_at < ?".to_owned());
            values.push(filter.due_before.map(time::stored).unwrap_or_default());
        }
        Some(status) if kind == Kind::CompetitionEntries => {
            clauses.push("? in (status, payment_status)".to_owned());
            values.push(status.clone());
        }
        Some(status) => {
            clauses.push("status = ?".to_owned());
            values.push(status.clone());
        }
    }
    for (clause, instant) in [("created_at >= ?", filter.from), ("created_at < ?", filter.until)] {
        if let Some(instant) = instant {
            clauses.push(clause.to_owned());
            values.push(time::stored(instant));
        }
    }
    if let (Some(category), Kind::CompetitionEntries) = (&filter.category, kind) {
        clauses.push("? in (primary_category, additional_category1, additional_category2)".to_owned());
        values.push(category.clone());
    }
    if let Some((clause, texts)) = search::condition(kind, filter.search.as_deref().unwrap_or_default()) {
        clauses.push(clause);
        values.extend(texts);
    }
    (clauses.join(" and "), values)
}

/// The SQL expressions that a search covers: names, companies and addresses, then phone numbers and Instagram names,
/// normalised if possible. Reports show the first one as the name. The index `<table>_listed` has the same expressions.
fn search_expressions(kind: Kind) -> &'static [&'static str] {
    const ANY_PHONE: &str = "coalesce(phone_normalised, phone)";
    const ANY_INSTAGRAM: &str = "coalesce(instagram_normalised, instagram, '')";
    match kind {
        Kind::SponsorApplications => &["company", "contact_name", "email", ANY_PHONE],
        Kind::SponsorInquiries => &["company", "email"],
        Kind::WaitlistSignups => &["name", "email", ANY_INSTAGRAM],
        Kind::CompetitionEntries => &["name", "email", "business_name", ANY_PHONE, ANY_INSTAGRAM],
        Kind::SpeakerApplications | Kind::JudgeApplications | Kind::ProfessionalDemoRegistrations => {
            &["name", "email", "company", ANY_PHONE, ANY_INSTAGRAM]
        }
    }
}
