//! The columns of the sheets: one sheet for each kind with the labels of its form, and one with the values that only the
//! program needs.

use std::borrow::Cow;

use rusqlite::types::ValueRef;

use crate::forms::{Field, FieldType};
use crate::model::Kind;
use crate::registrations::export::columns;
use crate::site::content::Content;
use crate::time::{self, Zone};

/// A column of a sheet.
pub struct Column {
    pub heading: Cow<'static, str>,
    /// In characters.
    pub width: u16,
    source: Source,
}

/// The source of a cell. Numbers are positions in a row of [`crate::store::registrations::for_each`].
enum Source {
    /// The name of the kind.
    Kind,
    /// The kind's table has no such column.
    Nothing,
    Stored(usize),
    Instant(usize),
    /// Cents.
    Money(usize),
    YesOrNo(usize),
    /// A field's value; an option is shown by its label.
    Answer(usize, &'static Field),
    /// A JSON list.
    Choices(usize, &'static Field),
    /// A category's slug and its subcategory.
    Category(usize, usize),
    /// An identifier like `in_review`.
    Identifier(usize),
    Status(usize),
    FrontRow(usize),
}

/// The value of a cell.
pub enum Cell<'a> {
    Empty,
    Text(Cow<'a, str>),
    Number(i64),
    Fraction(f64),
    /// A local time in the event's time zone: `2026-03-28 09:30:00`.
    Instant(String),
    /// In cents.
    Money(i64),
}

/// Columns of a kind's sheet that are not fields of its form.
const STATES: [(&str, &str); 7] = [
    ("status", "Status"),
    ("paymentStatus", "Payment"),
    ("paymentAmount", "Amount"),
    ("paidAt", "Paid on"),
    ("refundedAmount", "Refunded"),
    ("frontRow", "Front row"),
    ("alsoJudge", "Also applied as a judge"),
];

/// A category and its subcategory, which share a column: the two fields and the heading.
const CATEGORIES: [(&str, &str, &str); 3] = [
    ("primaryCategory", "subCategory", "Category"),
    ("additionalCategory1", "additionalCategory1Sub", "Second category"),
    ("additionalCategory2", "additionalCategory2Sub", "Third category"),
];

/// The columns of the last sheet.
const DETAILS: [(&str, &str); 10] = [
    ("createdAt", "Received (UTC)"),
    ("status", "Status"),
    ("paymentStatus", "Payment status"),
    ("stripePaymentIntentId", "Payment reference"),
    ("phoneNormalised", "Phone, normalised"),
    ("instagramNormalised", "Instagram, normalised"),
    ("agreedTo", "Agreed versions"),
    ("agreedAt", "Agreed at (UTC)"),
    ("setAsideReason", "Held for review because"),
    ("earlierId", "Earlier no."),
];

/// The columns of a kind's sheet: its number, when it was received, its states, then the fields of the form.
pub fn of_kind(kind: Kind) -> Vec<Column> {
    let stored: Vec<_> = columns(kind).collect();
    let at = |wanted: &str| stored.iter().position(|(name, _)| *name == wanted);
    let mut sheet = vec![number(0)];
    sheet.extend(at("createdAt").map(|at| Column::new("Received", Source::Instant(at))));
    for (name, heading) in STATES {
        let Some(at) = at(name) else { continue };
        let source = match name {
            "paymentAmount" | "refundedAmount" => Source::Money(at),
            "paidAt" => Source::Instant(at),
            "frontRow" => Source::FrontRow(at),
            "status" => Source::Status(at),
            _ => Source::Identifier(at),
        };
        sheet.push(Column::new(heading, source));
    }
    for (position, (name, field)) in stored.iter().enumerate() {
        let Some(field) = *field else { continue };
        if let Some((_, subcategory, heading)) = CATEGORIES.into_iter().find(|(known, ..)| known == name) {
            let subcategory = at(subcategory).expect("a form with a category has its subcategory");
            sheet.push(Column::new(heading, Source::Category(position, subcategory)));
        } else if field.field_type != FieldType::Count
            && !CATEGORIES.iter().any(|(_, known, _)| known == name)
        {
            sheet.push(Column::of_field(position, field));
        }
    }
    sheet
}

/// The columns of the last sheet, the same for every kind.
pub fn of_details(kind: Kind) -> Vec<Column> {
    let stored: Vec<_> = columns(kind).collect();
    let at = |wanted: &str| stored.iter().position(|(name, _)| *name == wanted);
    let detail = |(name, heading)| Column::new(heading, at(name).map_or(Source::Nothing, Source::Stored));
    [Column::new("Kind", Source::Kind), number(0)].into_iter().chain(DETAILS.map(detail)).collect()
}

fn number(at: usize) -> Column {
    Column { width: 8, ..Column::new("No.", Source::Stored(at)) }
}

impl Column {
    fn new(heading: &'static str, source: Source) -> Column {
        let width = match source {
            Source::Instant(_) => 24,
            Source::Category(..) => 30,
            _ => heading.chars().count().clamp(14, 28) as u16,
        };
        Column { heading: heading.into(), width, source }
    }

    fn of_field(at: usize, field: &'static Field) -> Column {
        let (source, width) = match field.field_type {
            FieldType::Flag | FieldType::Consent => (Source::YesOrNo(at), 18),
            FieldType::Choices => (Source::Choices(at, field), 40),
            FieldType::LongText => (Source::Stored(at), 48),
            FieldType::Email | FieldType::Url => (Source::Stored(at), 30),
            _ => (Source::Answer(at, field), 22),
        };
        Column { heading: field.label.as_str().into(), width, source }
    }

    /// The cell of this column in a row.
    pub fn cell<'a>(
        &self,
        kind: Kind,
        content: &'a Content,
        cells: &'a [ValueRef<'a>],
        zone: &Zone,
    ) -> Cell<'a> {
        match self.source {
            Source::Kind => Cell::Text(kind.as_str().into()),
            Source::Nothing => Cell::Empty,
            Source::Instant(at) => {
                text(cells[at]).map_or(Cell::Empty, |stored| Cell::Instant(time::local(&stored, zone)))
            }
            Source::Money(at) => cells[at].as_i64().map_or(Cell::Empty, Cell::Money),
            Source::YesOrNo(at) => match cells[at] {
                ValueRef::Integer(flag) => Cell::Text(if flag == 1 { "Yes" } else { "No" }.into()),
                _ => Cell::Empty,
            },
            Source::Answer(at, field) => match cells[at] {
                ValueRef::Text(_) => {
                    labelled(text(cells[at]), |value| content.answer_label(field, value).into())
                }
                cell => stored(cell),
            },
            Source::Choices(at, field) => {
                labelled(text(cells[at]), |json| match serde_json::from_str::<Vec<String>>(json) {
                    Ok(chosen) => {
                        chosen.iter().map(|value| field.label_of(value)).collect::<Vec<_>>().join(", ")
                    }
                    Err(_) => json.to_owned(),
                })
            }
            Source::Category(at, subcategory) => labelled(text(cells[at]), |slug| {
                content.nomination(slug, &text(cells[subcategory]).unwrap_or_default())
            }),
            Source::Identifier(at) => labelled(text(cells[at]), readable),
            Source::Status(at) => labelled(text(cells[at]), |status| status_label(kind, status)),
            Source::FrontRow(at) => labelled(text(cells[at]), |seat| match seat {
                "vip, guaranteed" => "VIP, guaranteed".to_owned(),
                "vip" => "VIP".to_owned(),
                other => readable(other),
            }),
            Source::Stored(at) => stored(cells[at]),
        }
    }
}

/// A status as the organiser's pages call it. Entries are not reviewed, so a new one has none.
fn status_label(kind: Kind, status: &str) -> String {
    match (kind, status) {
        (Kind::CompetitionEntries, "new") => String::new(),
        (Kind::WaitlistSignups, "accepted") => "Invited".to_owned(),
        (Kind::SponsorInquiries, "accepted") => "Answered".to_owned(),
        (_, status) => readable(status),
    }
}

/// `in_review` as 'In review', `competition-entries` as 'Competition entries'.
pub fn readable(identifier: &str) -> String {
    let mut characters = identifier.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    let rest = characters.map(|c| if matches!(c, '_' | '-') { ' ' } else { c });
    first.into_iter().chain(rest).collect()
}

fn text<'a>(cell: ValueRef<'a>) -> Option<Cow<'a, str>> {
    match cell {
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
        _ => None,
    }
}

fn labelled<'a>(stored: Option<Cow<'_, str>>, label: impl FnOnce(&str) -> String) -> Cell<'a> {
    stored.map_or(Cell::Empty, |stored| Cell::Text(label(&stored).into()))
}

fn stored(cell: ValueRef<'_>) -> Cell<'_> {
    match cell {
        ValueRef::Null | ValueRef::Blob(_) => Cell::Empty,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Real(number) => Cell::Fraction(number),
        ValueRef::Text(bytes) => Cell::Text(String::from_utf8_lossy(bytes)),
    }
}
