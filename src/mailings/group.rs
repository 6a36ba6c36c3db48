//! A group as JSON: `{"kind": "competition-entries", "paymentStatus": ["paid"], "category": "brows"}`.

use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::unsubscribe::Key;
use crate::error::{Error, Result};
use crate::mail::group::{PLACEHOLDERS, Placeholder};
use crate::model::{Kind, Status, TransferState};
use crate::site::content::Content;
use crate::store::mailings::recipients::SkipReason;
use crate::store::mailings::{self, Attendance, Group, Member, Notice, unreachable};
use crate::store::registrations::{self, Stored};
use crate::store::ticket_transfers;
use crate::time;

const FIELD: &str = "group";
/// The kind that means all kinds.
const ALL: &str = "all";

/// The group of a request's or a stored mailing's JSON. `kind` is a kind of registration or `all`; `status`,
/// `paymentStatus`, `category`, `invitation` and `attendance` are optional; all but the category and the attendance may be
/// lists.
///
/// # Errors
/// [`Error::Malformed`]: a value of the wrong JSON type. [`Error::Invalid`] on `group`: an unknown value or key, or a
/// condition that no such registration can meet.
pub fn parse(json: &Value) -> Result<Group> {
    let object = json.as_object().ok_or_else(|| Error::wrong_type(FIELD))?;
    const KNOWN: [&str; 6] = ["kind", "status", "paymentStatus", "category", "invitation", "attendance"];
    if let Some(other) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        let known = KNOWN.join(", ");
        return Err(wrong(&format!("A group has no condition '{other}'. It can have: {known}")));
    }
    let kinds = match texts(object, "kind")?.as_slice() {
        [kind] if kind == ALL => Kind::ALL.to_vec(),
        kinds => parsed(kinds)?,
    };
    if kinds.is_empty() {
        return Err(wrong("Please choose whom to write to: a kind of registration, or 'all'"));
    }
    let group = Group {
        kinds,
        statuses: parsed(&texts(object, "status")?)?,
        payment_statuses: parsed(&texts(object, "paymentStatus")?)?,
        category: at_most_one(object, "category")?,
        invitations: parsed(&texts(object, "invitation")?)?,
        attendance: parsed(at_most_one(object, "attendance")?.as_slice())?.pop(),
    };
    if group.statuses.contains(&Status::SetAside) {
        return Err(wrong("What is held for review gets no email"));
    }
    let is_of_entries = group.kinds == [Kind::CompetitionEntries];
    if !is_of_entries && (!group.payment_statuses.is_empty() || group.category.is_some()) {
        return Err(wrong("Only competition entries have a payment and a category"));
    }
    if group.kinds != [Kind::WaitlistSignups] && !group.invitations.is_empty() {
        return Err(wrong("Only waitlist signups have an invitation"));
    }
    Ok(group)
}

/// Like [`parse`], and also requires that the category exists, and that nobody is called absent before the event is over.
pub fn parse_new(json: &Value, content: &Content) -> Result<Group> {
    let group = parse(json)?;
    if group.attendance == Some(Attendance::Absent) && content.today(time::now()) <= content.event.last_day {
        return Err(wrong("Who has not come is known once the event is over"));
    }
    if let Some(category) = &group.category
        && content.category_label(category).is_none()
    {
        return Err(wrong(&format!("There is no category '{category}'")));
    }
    Ok(group)
}

/// The JSON of a group, without conditions that it does not have.
pub fn to_json(group: &Group) -> Value {
    let mut json = Map::new();
    let is_all = group.kinds == Kind::ALL;
    json.insert("kind".into(), if is_all { json!(ALL) } else { one_or_list(&group.kinds) });
    if !group.statuses.is_empty() {
        json.insert("status".into(), one_or_list(&group.statuses));
    }
    if !group.payment_statuses.is_empty() {
        json.insert("paymentStatus".into(), one_or_list(&group.payment_statuses));
    }
    if let Some(category) = &group.category {
        json.insert("category".into(), category.as_str().into());
    }
    if !group.invitations.is_empty() {
        json.insert("invitation".into(), one_or_list(&group.invitations));
    }
    if let Some(attendance) = group.attendance {
        json.insert("attendance".into(), attendance.as_str().into());
    }
    json.into()
}

fn one_or_list<T: Serialize>(values: &[T]) -> Value {
    match values {
        [value] => json!(value),
        values => json!(values),
    }
}

/// A text or a list of texts; absent, null and the empty text are an empty list.
fn texts(object: &Map<String, Value>, name: &str) -> Result<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| Error::wrong_type(name));
    match object.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(value) => Ok(Some(text(value)?).filter(|text| !text.is_empty()).into_iter().collect()),
    }
}

fn at_most_one(object: &Map<String, Value>, name: &str) -> Result<Option<String>> {
    let mut texts = texts(object, name)?;
    if texts.len() > 1 {
        return Err(wrong(&format!("A group has one {name} at most")));
    }
    Ok(texts.pop())
}

fn parsed<T: std::str::FromStr<Err = String>>(texts: &[String]) -> Result<Vec<T>> {
    texts.iter().map(|text| text.parse().map_err(|message: String| wrong(&message))).collect()
}

pub fn wrong(message: &str) -> Error {
    Error::field(FIELD, message)
}

/// The placeholders of an email to this group.
pub fn placeholders(group: &Group) -> impl Iterator<Item = Placeholder> {
    let is_of_entries = group.kinds == [Kind::CompetitionEntries];
    PLACEHOLDERS.into_iter().filter(move |placeholder| is_of_entries || !placeholder.of_entries)
}

/// How many people are in a group now, and how many of them get no email and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "GroupCount"))]
pub struct Count {
    pub recipients: usize,
    pub unsubscribed: usize,
    pub refused: usize,
}

/// Passes each member of a group to `take`, with why they get no email, if so.
pub fn each(
    connection: &Connection,
    group: &Group,
    notice: Option<Notice>,
    mut take: impl FnMut(Member, Option<SkipReason>) -> Result<()>,
) -> Result<()> {
    let key = Key::stored(connection)?;
    mailings::for_each_member(connection, group, notice, |member| {
        let skipped = why_skipped(connection, key.as_ref(), notice, &member.address)?;
        take(member, skipped)
    })
}

/// Why an address gets no email, if so. A necessary notice goes to those who have unsubscribed too.
pub fn why_skipped(
    connection: &Connection,
    key: Option<&Key>,
    notice: Option<Notice>,
    address: &str,
) -> Result<Option<SkipReason>> {
    if unreachable::is_refused(connection, address)? {
        return Ok(Some(SkipReason::Refused));
    }
    if let Some(key) = key
        && notice.is_none()
        && unreachable::is_unsubscribed(connection, &key.address_hash(address))?
    {
        return Ok(Some(SkipReason::Unsubscribed));
    }
    Ok(None)
}

/// The registration of a member of a group. The holder of a transferred ticket is a member through the entry, which here has
/// the holder's name and address.
pub fn registration_of(connection: &Connection, member: &Member) -> Result<Option<Stored>> {
    let (kind, id, address) = (member.kind, member.registration_id, &member.address);
    let Some(mut registration) = registrations::get(connection, kind, id)? else { return Ok(None) };
    if kind == Kind::CompetitionEntries && !registration.record.text("email").eq_ignore_ascii_case(address) {
        let holder = ticket_transfers::newest(connection, id, TransferState::Accepted)?;
        if let Some(holder) = holder.filter(|holder| holder.email.eq_ignore_ascii_case(address)) {
            registration.record.set_text("name", &holder.name);
            registration.record.set_text("email", &holder.email);
        }
    }
    Ok(Some(registration))
}

/// Counts a group.
pub fn count(connection: &Connection, group: &Group, notice: Option<Notice>) -> Result<Count> {
    let mut count = Count::default();
    each(connection, group, notice, |_, skipped| {
        match skipped {
            None => count.recipients += 1,
            Some(SkipReason::Unsubscribed) => count.unsubscribed += 1,
            Some(_) => count.refused += 1,
        }
        Ok(())
    })?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_the_same_after_it_was_stored() {
        for (typed, stored) in [
            (json!({ "kind": "all" }), json!({ "kind": "all" })),
            (json!({ "kind": "all", "attendance": "came" }), json!({ "kind": "all", "attendance": "came" })),
            (
                json!({ "kind": ["speaker-applications"], "status": "accepted", "category": "" }),
                json!({ "kind": "speaker-applications", "status": "accepted" }),
            ),
            (
                json!({ "kind": "competition-entries", "paymentStatus": ["paid", "disputed"], "category": "brows" }),
                json!({ "kind": "competition-entries", "paymentStatus": ["paid", "disputed"], "category": "brows" }),
            ),
        ] {
            let group = parse(&typed).expect("a group");
            assert_eq!(to_json(&group), stored);
            assert_eq!(parse(&stored).expect("the same"), group);
        }
    }

    #[test]
    fn a_wrong_group_is_refused() {
        for (group, part) in [
            (json!({}), "choose whom"),
            (json!({ "kind": "judges" }), "'judges' is not a kind"),
            (json!({ "kind": "all", "statuses": "new" }), "no condition 'statuses'"),
            (json!({ "kind": "all", "status": "paid" }), "'paid' is not a status"),
            (json!({ "kind": "all", "status": "set_aside" }), "held for review"),
            (json!({ "kind": "waitlist-signups", "paymentStatus": "paid" }), "Only competition entries"),
            (json!({ "kind": "all", "category": "brows" }), "Only competition entries"),
            (json!({ "kind": "all", "invitation": "waiting" }), "Only waitlist signups"),
            (json!({ "kind": "all", "attendance": "late" }), "'late' is not an attendance"),
            (json!({ "kind": "all", "attendance": ["came", "absent"] }), "one attendance at most"),
            (
                json!({ "kind": "competition-entries", "category": ["brows", "lashes"] }),
                "one category at most",
            ),
        ] {
            let Err(Error::Invalid(errors)) = parse(&group) else { panic!("{group}") };
            assert!(errors[FIELD].contains(part), "{group}: {errors:?}");
        }
        for group in [json!(null), json!([]), json!({ "kind": 1 }), json!({ "kind": "all", "status": [1] })] {
            assert!(matches!(parse(&group), Err(Error::Malformed(_))), "{group}");
        }
    }
}
