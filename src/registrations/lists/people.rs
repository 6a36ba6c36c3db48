//! Merges registrations into people: one row for each person, with all that they registered for.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Group;
use crate::forms::form;
use crate::model::{Kind, Status, ticket_code};
use crate::site::content::Content;
use crate::store::door::{JUDGES, TICKET_OF, Ticket};
use crate::store::guests::Guest;
use crate::store::registrations::person::ERASED;

/// A seat in the front row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seat {
    /// Three nominations.
    Vip,
    /// Among the first paid entries with two or more.
    FrontRow,
}

impl Seat {
    /// From `Guest::front_row`: `guaranteed`, `vip`, or `vip, guaranteed`, which is VIP.
    fn parse(front_row: &str) -> Seat {
        if front_row == "guaranteed" { Seat::FrontRow } else { Seat::Vip }
    }

    const fn label(self) -> &'static str {
        match self {
            Seat::Vip => "VIP",
            Seat::FrontRow => "Front row",
        }
    }
}

/// What a seat is called, by what an entry has of the front row.
pub fn seat_label(front_row: &str) -> &'static str {
    Seat::parse(front_row).label()
}

/// Somebody who comes.
#[derive(Debug, Clone)]
pub struct Person {
    /// The ids of the registrations, such as 'judge-applications-12'.
    ids: Vec<String>,
    name: String,
    business: String,
    /// 'Competitor', 'Judge', in the order of the kinds.
    roles: Vec<&'static str>,
    entries: Vec<Entry>,
    pub seat: Option<Seat>,
    note: String,
    /// The codes of the valid tickets, if there are any already.
    codes: Vec<String>,
    /// Whether a ticket is void.
    has_void_ticket: bool,
    /// The only day on which they come, from 1; `None`: all days.
    only_day: Option<usize>,
    /// Sorts by surname, ignoring case and diacritics.
    pub sort_key: String,
}

#[derive(Debug, Clone)]
struct Entry {
    id: i64,
    entrant: String,
    business: String,
    nominations: Vec<(String, String)>,
    note: String,
}

impl Person {
    /// The id of the first registration.
    pub fn id(&self) -> &str {
        &self.ids[0]
    }

    pub fn comes_on(&self, day: usize) -> bool {
        self.only_day.is_none_or(|only| only == day)
    }

    pub fn door_row(&self) -> Vec<String> {
        let seat = self.seat.map_or("", Seat::label).to_owned();
        let ticket = if self.codes.is_empty() && self.has_void_ticket {
            "Ticket void".to_owned()
        } else {
            self.codes.join(" / ")
        };
        vec![self.name.clone(), self.business.clone(), self.roles.join(", "), seat, self.note.clone(), ticket]
    }

    pub fn name_row(&self) -> Vec<String> {
        vec![self.name.clone(), self.business.clone(), self.roles.join(", ")]
    }

    pub fn seat_row(&self) -> Vec<String> {
        let entries: Vec<String> = self.entries.iter().map(|entry| entry.id.to_string()).collect();
        let nominations = self.entries.iter().flat_map(|entry| &entry.nominations);
        let nominations: Vec<&str> = nominations.map(|(_, label)| label.as_str()).collect();
        vec![
            self.seat.map_or("", Seat::label).to_owned(),
            self.name.clone(),
            self.business.clone(),
            entries.join(", "),
            nominations.join(", "),
        ]
    }
}

/// One row a person: registrations with the same address and name are one.
pub fn people(content: &Content, guests: Vec<Guest>) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::with_capacity(guests.len());
    let mut known: HashMap<(String, String), usize> = HashMap::with_capacity(guests.len());
    for mut guest in guests {
        let entries = entry(content, &guest).into_iter().collect();
        let mut note = note(&guest);
        let mut role = guest.kind.role().label();
        if let Some((name, email)) = guest.holder.take() {
            if guest.name != ERASED {
                note = format!("{TICKET_OF}{}", guest.name);
            }
            role = "Guest";
            guest = Guest { name, email, business: String::new(), ..guest };
        }
        let person = Person {
            ids: vec![format!("{}-{}", guest.kind, guest.id)],
            sort_key: sort_key(&guest.name),
            only_day: only_day(&guest),
            roles: vec![role],
            seat: guest.front_row.as_deref().map(Seat::parse),
            note,
            codes: Vec::new(),
            has_void_ticket: false,
            entries,
            name: guest.name,
            business: guest.business,
        };
        match known.get(&(guest.email.to_ascii_lowercase(), person.sort_key.clone())) {
            Some(index) => people[*index].merge(person),
            None => {
                known.insert((guest.email.to_ascii_lowercase(), person.sort_key.clone()), people.len());
                people.push(person);
            }
        }
    }
    people
}

/// Adds the codes of tickets, and the people who have one without a registration: guests, invited judges, and those whom a
/// sponsor brings.
pub fn with_tickets(people: &mut Vec<Person>, tickets: Vec<Ticket>) {
    let of_registrations: HashMap<String, usize> = people
        .iter()
        .enumerate()
        .flat_map(|(index, person)| person.ids.iter().map(move |id| (id.clone(), index)))
        .collect();
    for ticket in tickets {
        let code = ticket_code::format(&ticket.code);
        let known = ticket.source.as_ref().filter(|source| source.place == 1);
        let known = known.and_then(|source| of_registrations.get(&format!("{}-{}", source.kind, source.id)));
        if let Some(index) = known {
            let person = &mut people[*index];
            if ticket.is_valid() {
                person.codes.push(code);
            } else {
                person.has_void_ticket = true;
            }
        } else if ticket.is_valid()
            && ticket.source.is_none_or(|source| source.kind == JUDGES || source.place > 1)
        {
            let attendee = ticket.attendee;
            people.push(Person {
                ids: vec![format!("ticket-{}", ticket.id)],
                sort_key: sort_key(&attendee.name),
                name: attendee.name,
                business: attendee.business.unwrap_or_default(),
                roles: vec![attendee.role.label()],
                entries: Vec::new(),
                seat: None,
                note: attendee.note.unwrap_or_default(),
                codes: vec![code],
                has_void_ticket: false,
                only_day: None,
            });
        }
    }
}

impl Person {
    /// Adds another registration of the same person.
    fn merge(&mut self, other: Person) {
        for role in other.roles {
            if !self.roles.contains(&role) {
                self.roles.push(role);
            }
        }
        self.ids.extend(other.ids);
        self.entries.extend(other.entries);
        self.seat = [self.seat, other.seat].into_iter().flatten().min();
        self.only_day = if self.only_day == other.only_day { self.only_day } else { None };
        if self.note.is_empty() {
            self.note = other.note;
        }
    }
}

/// Every category and subcategory that somebody has entered, in the order of the content.
pub fn by_category(content: &Content, people: &[Person]) -> Vec<Group> {
    let order = |slug: &str| content.categories.iter().position(|category| category.slug == slug);
    let mut groups: HashMap<(usize, &str), Vec<Vec<String>>> = HashMap::new();
    for person in people.iter() {
        for entry in &person.entries {
            for (slug, label) in &entry.nominations {
                let place = (order(slug).unwrap_or(usize::MAX), label.as_str());
                groups.entry(place).or_default().push(vec![
                    entry.id.to_string(),
                    entry.entrant.clone(),
                    entry.business.clone(),
                    entry.note.clone(),
                ]);
            }
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(place, _)| *place);
    for (_, rows) in &mut groups {
        rows.sort_by_cached_key(|row| sort_key(&row[1]));
    }
    groups.into_iter().map(|((_, label), rows)| Group { title: label.to_owned(), rows }).collect()
}

/// The entry that a guest has, if it is one.
fn entry(content: &Content, guest: &Guest) -> Option<Entry> {
    if guest.kind != Kind::CompetitionEntries {
        return None;
    }
    let nomination = |(slug, sub): &(String, String)| (slug.clone(), content.nomination(slug, sub));
    Some(Entry {
        id: guest.id,
        entrant: guest.name.clone(),
        business: guest.business.clone(),
        nominations: guest.nominations.iter().map(nomination).collect(),
        note: note(guest),
    })
}

fn note(guest: &Guest) -> String {
    if guest.status == Status::NoShow { "No-show".to_owned() } else { String::new() }
}

/// The only day on which a judge comes, from 1. The form offers both days, then each one.
pub fn only_day(guest: &Guest) -> Option<usize> {
    let availability = guest.availability.as_deref()?;
    let mut fields = form(Kind::JudgeApplications).fields();
    let options = &fields.find(|field| field.name == "availability")?.options;
    options.iter().position(|option| option.value == availability).filter(|index| *index > 0)
}

/// The surname, which is taken to be the last word, then the whole name; in lowercase without diacritics.
fn sort_key(name: &str) -> String {
    let plain: String = name.nfd().filter(|character| !is_combining_mark(*character)).collect();
    let plain = plain.to_lowercase();
    let is_suffix = |word: &str| matches!(word.trim_end_matches('.'), "jr" | "sr" | "ii" | "iii");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let surname = words.iter().rev().find(|word| !is_suffix(word)).copied().unwrap_or_default();
    format!("{surname} {}", words.join(" "))
}
