//! Lists for the days of the event, for paper and for spreadsheets: who comes, by name, by category, and who sits in
//! front. No list has an address or a phone number.

mod attendance;
mod page;
mod people;

use std::io::Write;

use chrono::{DateTime, Utc};
use rust_xlsxwriter::{Format, Workbook};
use serde::Serialize;
use serde_json::json;

use self::people::Person;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, text_enum};
use crate::registrations::export::{self, safe_cell};
use crate::site::content::Content;
use crate::store::{audit, door, guests};

pub use self::page::to_html;
pub use self::people::{only_day, seat_label};

text_enum! {
    pub enum ListName, "a list" {
        /// Who is let in on a day.
        Door = "door",
        /// Everybody.
        Names = "names",
        /// Entrants by category and subcategory.
        Categories = "categories",
        /// Who has a seat in the front row.
        FrontRow = "front-row",
        /// Every ticket, with the time at which its holder came in.
        Attendance = "attendance",
        /// Everybody, with what is printed on a badge.
        Badges = "badges",
    }
}

impl ListName {
    fn title(self) -> &'static str {
        match self {
            ListName::Door => "Door list",
            ListName::Names => "Names",
            ListName::Badges => "Badges",
            ListName::Categories => "Entries by category",
            ListName::FrontRow => "Front row",
            ListName::Attendance => "Who came",
        }
    }
}

/// The list that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub name: ListName,
    /// A day of the event, from 1; `None`: everybody who comes on any day.
    pub day: Option<usize>,
}

/// A list that is ready to be written.
#[derive(Debug, Serialize)]
pub struct List {
    /// The event's name.
    event: String,
    dates_and_city: String,
    demo_banner: Option<String>,
    title: &'static str,
    /// `Day 1, Saturday, March 28, 2026`; empty for all days.
    day: String,
    /// `November 22, 2026 at 9:04 PM`, in the event's time zone.
    made: String,
    row_count: usize,
    columns: Vec<String>,
    groups: Vec<Group>,
    /// The name of the checkbox before each row; empty if the list has none.
    checkboxes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Group {
    /// Empty where a list has no groups.
    title: String,
    rows: Vec<Vec<String>>,
}

/// Makes a list, and records it in the audit log.
///
/// # Errors
/// [`Error::Malformed`]: the event has no such day.
pub fn list(app: &App, actor: &Actor, choice: Choice, now: DateTime<Utc>) -> Result<List> {
    let content = app.content();
    let day = day_of(&content, choice.day)?;
    let (guests, tickets, admissions) = app.store.read(|connection| {
        Ok((guests::all(connection)?, door::all(connection)?, door::admissions(connection)?))
    })?;
    record_action(app, actor, choice);
    let mut people = people::people(&content, guests);
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut checkboxes = Vec::new();
    let (columns, groups): (Vec<String>, _) = match choice.name {
        ListName::Attendance => {
            let (columns, rows) = attendance::rows(&content, choice.day, &tickets, &admissions);
            (columns, vec![Group { title: String::new(), rows }])
        }
        ListName::Door | ListName::Badges | ListName::Names => {
            people::with_tickets(&mut people, tickets);
            keep_day(&mut people, choice.day);
            people.sort_by(|a, b| a.sort_key.cmp(&b.sort_key));
            if choice.name == ListName::Names {
                (owned(&["Name", "Business", "Comes as"]), vec![group(&people, Person::name_row)])
            } else {
                if choice.name == ListName::Door {
                    checkboxes = people.iter().map(|person| person.id().to_owned()).collect();
                }
                let columns = owned(&["Name", "Business", "Comes as", "Seat", "Note", "Ticket"]);
                (columns, vec![group(&people, Person::door_row)])
            }
        }
        ListName::Categories => {
            keep_day(&mut people, choice.day);
            (owned(&["Entry", "Name", "Business", "Note"]), people::by_category(&content, &people))
        }
        ListName::FrontRow => {
            keep_day(&mut people, choice.day);
            people.retain(|person| person.seat.is_some());
            people.sort_by(|a, b| (a.seat, &a.sort_key).cmp(&(b.seat, &b.sort_key)));
            let columns = owned(&["Seat", "Name", "Business", "Entry", "Categories"]);
            (columns, vec![group(&people, Person::seat_row)])
        }
    };
    let event = &content.event;
    Ok(List {
        event: event.name.clone(),
        dates_and_city: format!("{}, {}", event.dates, event.city),
        demo_banner: app.demo_banner(),
        title: choice.name.title(),
        day,
        made: event.time_zone.at(now).format("%B %-d, %Y at %-I:%M %p").to_string(),
        row_count: groups.iter().map(|group| group.rows.len()).sum(),
        columns,
        groups,
        checkboxes,
    })
}

impl List {
    /// `Door list, Day 1, Saturday, March 28, 2026`.
    fn heading(&self) -> String {
        if self.day.is_empty() { self.title.to_owned() } else { format!("{}, {}", self.title, self.day) }
    }

    /// The header row and all rows. If the list has groups, the first column names them.
    fn table(&self) -> impl Iterator<Item = Vec<&str>> {
        let has_groups = self.groups.iter().any(|group| !group.title.is_empty());
        let header = (has_groups.then_some("Category"), &self.columns);
        let rows = self.groups.iter().flat_map(move |group| {
            group.rows.iter().map(move |row| (has_groups.then_some(group.title.as_str()), row))
        });
        std::iter::once(header)
            .chain(rows)
            .map(|(first, cells)| first.into_iter().chain(cells.iter().map(String::as_str)).collect())
    }
}

/// Writes a list as CSV, in the format of the exports.
pub fn write_csv(list: &List, mut out: impl Write) -> Result<()> {
    export::write_bom(&mut out)?;
    let mut writer = export::csv_writer(out);
    for cells in list.table() {
        let safe = cells.into_iter().map(|cell| safe_cell(cell).into_owned());
        writer.write_record(safe).map_err(export::unwritable)?;
    }
    Ok(writer.flush()?)
}

/// The same table as a workbook for Excel.
///
/// # Errors
/// [`Error::Failed`]: the workbook cannot be made.
pub fn to_xlsx(list: &List) -> Result<Vec<u8>> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.set_name(list.title)?.set_freeze_panes(1, 0)?;
    let heading = Format::new().set_bold();
    for (row, cells) in (0..).zip(list.table()) {
        for (column, cell) in (0..).zip(cells) {
            if row == 0 {
                sheet.write_string_with_format(row, column, cell, &heading)?;
            } else {
                sheet.write_string(row, column, cell)?;
            }
        }
    }
    sheet.autofit();
    Ok(workbook.save_to_buffer()?)
}

/// `lash-brow-showcase-door-day-1.csv`.
pub fn file_name(content: &Content, choice: Choice, ending: &str) -> String {
    let day = choice.day.map_or_else(String::new, |day| format!("-day-{day}"));
    format!("{}-{}{day}.{ending}", export::name_of_event(content), choice.name)
}

fn group(people: &[Person], row: impl Fn(&Person) -> Vec<String>) -> Group {
    Group { title: String::new(), rows: people.iter().map(row).collect() }
}

fn keep_day(people: &mut Vec<Person>, day: Option<usize>) {
    people.retain(|person| day.is_none_or(|day| person.comes_on(day)));
}

fn day_of(content: &Content, day: Option<usize>) -> Result<String> {
    let Some(number) = day else { return Ok(String::new()) };
    let days = &content.event.days;
    let day = number.checked_sub(1).and_then(|index| days.get(index));
    let day = day.ok_or_else(|| Error::Malformed(format!("The event has days 1 to {}.", days.len())))?;
    Ok(format!("{}, {}", day.label, day.date.format("%A, %B %-d, %Y")))
}

fn record_action(app: &App, actor: &Actor, choice: Choice) {
    app.store.write_audit_line("the list", |connection| {
        let detail = json!({ "list": choice.name, "day": choice.day });
        audit::record(connection, actor, "list made", &detail)
    });
}
