//! Inviting, listing and removing judges. Whoever competes cannot judge; whoever shares a phone, a handle or a salon with an
//! entrant is invited only over a warning, which is logged.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;

use super::access;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{self, EmailAddress};
use crate::mail::JudgeLinkReason;
use crate::model::Actor;
use crate::portal::access::{self as links, Audience};
use crate::store::audit;
use crate::store::judging::categories;
use crate::store::judging::judges::{self, Contact, Entrant};
use crate::store::judging::panels::{self, PanelRole};
use crate::store::judging::relations;
use crate::store::judging::sheets::{self, SheetState};
use crate::store::portal::access as stored_access;
use crate::time;

pub use crate::store::judging::judges::Judge;

/// In characters.
const MAX_NAME_LENGTH: usize = 200;
/// What people write, [`normalised`], who have no business of their own.
const NO_BUSINESS: [&str; 8] =
    ["na", "no", "none", "freelance", "freelancer", "independent", "independentartist", "selfemployed"];
pub(super) const JUDGE_CANNOT_COMPETE: &str = "a judge cannot also compete";

/// A judge as the organiser sees them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Judge"))]
pub struct ListedJudge {
    #[serde(flatten)]
    pub judge: Judge,
    /// What they share with entrants, as sentences.
    pub warnings: Vec<String>,
    pub panels: Vec<PanelOfJudge>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PanelOfJudge {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    pub role: PanelRole,
}

/// The judges, and the accepted applications to judge.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Judges"))]
pub struct ListedJudges {
    pub items: Vec<ListedJudge>,
    pub applications: Vec<JudgeApplication>,
}

/// An accepted application to judge.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JudgeApplication {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub company: Option<String>,
    pub invited: bool,
}

/// Who is invited.
#[derive(Debug, Clone, Default)]
pub struct Invitation {
    pub name: String,
    pub email: String,
    pub application_id: Option<i64>,
    /// Invites in spite of a warning.
    pub anyway: bool,
}

/// Invites a judge and queues the email. Returns the judge's id.
///
/// # Errors
/// [`Error::Invalid`]: a name or an address is missing, or `anyway` is needed. [`Error::Conflict`]: the person competes, or
/// judges already.
pub fn invite(app: &App, actor: &Actor, invitation: &Invitation) -> Result<i64> {
    let email = checked_email(&invitation.email)?;
    let name = checked_name(&invitation.name)?;
    let (entrants, applications, existing) = app.store.read(|connection| {
        Ok((
            judges::entrants(connection)?,
            judges::applications(connection)?,
            judges::with_email(connection, email.as_str())?,
        ))
    })?;
    if existing.is_some() {
        return Err(is_judge_already());
    }
    let application = applications.into_iter().find(|application| match invitation.application_id {
        Some(id) => application.id == id,
        None => application.email.eq_ignore_ascii_case(email.as_str()),
    });
    if application.is_none() && invitation.application_id.is_some() {
        return Err(Error::field("applicationId", "There is no such accepted application"));
    }
    let application_id = application.as_ref().map(|application| application.id);
    let contact = application.map(|application| application.contact).unwrap_or_default();
    if competes(&name, email.as_str(), &contact, &entrants) {
        return Err(competing());
    }
    let warnings = warnings(&contact, &entrants);
    if let (Some(warning), false) = (warnings.first(), invitation.anyway) {
        return Err(Error::field("anyway", warning));
    }
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        // Somebody may have been invited since they were looked up.
        if judges::with_email(connection, email.as_str())?.is_some() {
            return Err(is_judge_already());
        }
        let at = time::stored(time::now());
        let id = judges::insert(connection, (&name, email.as_str()), &contact, application_id, &at)?;
        let detail = json!({ "judge": id, "warnings": warnings.len() });
        audit::record(connection, actor, "judge invited", &detail)?;
        access::queue_link(connection, &content, &public_url, email.as_str(), JudgeLinkReason::Invited)?;
        Ok(id)
    })
}

fn is_judge_already() -> Error {
    Error::Conflict("This address is a judge's already.".into())
}

fn competing() -> Error {
    let message =
        "This person has an entry, and a judge cannot compete. Withdraw the entry or remove the judge first.";
    Error::Conflict(message.into())
}

fn checked_email(email: &str) -> Result<EmailAddress> {
    EmailAddress::parse(email.trim())
        .ok_or_else(|| Error::field("email", "Please enter a valid email address"))
}

fn checked_name(name: &str) -> Result<String> {
    forms::free_line("name", name, MAX_NAME_LENGTH)?
        .ok_or_else(|| Error::field("name", "Please enter a name of at most 200 characters"))
}

/// Whether a judge is also an entrant: the same address, or the same name and phone.
fn competes(name: &str, email: &str, contact: &Contact, entrants: &[Entrant]) -> bool {
    entrants.iter().any(|entrant| {
        let is_same_phone = shares_contact(contact.phone.as_deref(), &entrant.phone, forms::phone);
        entrant.email.eq_ignore_ascii_case(email)
            || (is_same_phone && normalised(name) == normalised(&entrant.name))
    })
}

/// What a judge shares with entrants. A sentence for each.
fn warnings(contact: &Contact, entrants: &[Entrant]) -> BTreeSet<String> {
    let warning = |entrant: &Entrant| {
        let what = shared(contact, entrant)?;
        Some(format!("This judge has the same {what} as the entrant {}", entrant.name))
    };
    entrants.iter().filter_map(warning).collect()
}

/// Like [`warnings`], with a first sentence if the judge entered after the invitation.
fn warnings_of(judge: &Judge, entrants: &[Entrant]) -> Vec<String> {
    let mut sentences: Vec<String> = warnings(&judge.contact, entrants).into_iter().collect();
    if is_entrant(judge, entrants) {
        sentences.insert(0, format!("{} has an entry: {JUDGE_CANNOT_COMPETE}", judge.name));
    }
    sentences
}

/// Whether a judge competes too.
pub(super) fn is_entrant(judge: &Judge, entrants: &[Entrant]) -> bool {
    competes(&judge.name, &judge.email, &judge.contact, entrants)
}

/// The names of judges who compete too, in their order.
pub fn competing_names(connection: &Connection) -> Result<Vec<String>> {
    let entrants = judges::entrants(connection)?;
    let all = judges::all(connection)?.into_iter();
    Ok(all.filter(|judge| is_entrant(judge, &entrants)).map(|judge| judge.name).collect())
}

/// Why a judge may not score an entrant: what both have in common, as in [`shared`], or the 'address'.
pub(super) fn in_common(judge: &Judge, entrant: &Entrant) -> Option<&'static str> {
    if entrant.email.eq_ignore_ascii_case(&judge.email) {
        return Some("address");
    }
    shared(&judge.contact, entrant)
}

/// What a judge shares with an entrant: 'phone number', 'Instagram name' or 'business'.
pub(super) fn shared(contact: &Contact, entrant: &Entrant) -> Option<&'static str> {
    let is_business = !NO_BUSINESS.contains(&normalised(&entrant.business_name).as_str());
    if shares_contact(contact.phone.as_deref(), &entrant.phone, forms::phone) {
        Some("phone number")
    } else if shares_contact(contact.instagram.as_deref(), &entrant.instagram, forms::instagram) {
        Some("Instagram name")
    } else if is_business && shares(contact.business_name.as_deref(), &entrant.business_name) {
        Some("business")
    } else {
        None
    }
}

/// Whether two texts are the same but for their spelling, and not empty.
fn shares(a: Option<&str>, b: &str) -> bool {
    a.is_some_and(|a| !normalised(a).is_empty() && normalised(a) == normalised(b))
}

/// Like [`shares`], for a judge's phone or handle as an organiser typed it, and an entrant's, which is stored in one form.
fn shares_contact(typed: Option<&str>, stored: &str, in_one_form: fn(&str) -> Option<String>) -> bool {
    typed.is_some_and(|typed| shares(Some(&in_one_form(typed).unwrap_or_else(|| typed.to_owned())), stored))
}

/// Whether this is the judge's name, or their name on the site.
pub(super) fn is_called(judge: &Judge, name: &str) -> bool {
    shares(Some(&judge.name), name) || shares(judge.public_name.as_deref(), name)
}

/// Letters and digits in lowercase, so that '@studio.uno' and 'Studio Uno' are the same.
fn normalised(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// All judges, and the accepted applications with whether they were invited.
pub fn list(app: &App) -> Result<ListedJudges> {
    let content = app.content();
    app.store.read(|connection| {
        let all = judges::all(connection)?;
        let entrants = judges::entrants(connection)?;
        let categories = categories::all(connection)?;
        let is_judge = |email: &str| all.iter().any(|judge| judge.email.eq_ignore_ascii_case(email));
        let applications =
            judges::applications(connection)?.into_iter().map(|application| JudgeApplication {
                invited: is_judge(&application.email),
                id: application.id,
                name: application.name,
                email: application.email,
                company: application.contact.business_name,
            });
        let mut items = Vec::new();
        for judge in &all {
            let panels = panels::of_judge(connection, judge.id)?.into_iter().filter_map(|(id, role)| {
                let found = categories.iter().find(|category| category.id == id)?;
                let (category, sub_category) = (found.category.clone(), found.sub_category.clone());
                let label = content.nomination(&category, &sub_category);
                Some(PanelOfJudge { category, sub_category, label, role })
            });
            items.push(ListedJudge {
                warnings: warnings_of(judge, &entrants),
                panels: panels.collect(),
                judge: judge.clone(),
            });
        }
        Ok(ListedJudges { items, applications: applications.collect() })
    })
}

/// One judge, or [`Error::NotFound`].
pub fn get(app: &App, id: i64) -> Result<ListedJudge> {
    list(app)?.items.into_iter().find(|listed| listed.judge.id == id).ok_or_else(unknown)
}

/// The changed details of a judge; `None` leaves a detail as it is.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub name: Option<String>,
    /// Empty: the site shows `name`.
    pub public_name: Option<String>,
    /// The links to the former address are revoked, and a new one is emailed.
    pub email: Option<String>,
    pub phone: Option<String>,
    pub instagram: Option<String>,
    pub business_name: Option<String>,
}

/// Changes a judge's details.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]. [`Error::Conflict`]: the new address is a judge's, or the person competes.
pub fn change(app: &App, actor: &Actor, id: i64, change: Change) -> Result<ListedJudge> {
    let before = get(app, id)?.judge;
    let public_name = match change.public_name.as_deref().map(str::trim) {
        None => before.public_name.clone(),
        Some("") => None,
        Some(name) => Some(checked_name(name).map_err(|_| {
            Error::field("publicName", "Please enter a name of at most 200 characters, or none")
        })?),
    };
    let email = match &change.email {
        None => before.email.clone(),
        Some(email) => checked_email(email)?.as_str().to_owned(),
    };
    let after = Judge {
        name: change.name.as_deref().map(checked_name).transpose()?.unwrap_or(before.name),
        public_name,
        email,
        contact: Contact {
            phone: change.phone.or(before.contact.phone),
            instagram: change.instagram.or(before.contact.instagram),
            business_name: change.business_name.or(before.contact.business_name),
        },
        ..before
    };
    let former = (!after.email.eq_ignore_ascii_case(&before.email)).then_some(before.email);
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        if former.is_some() {
            if judges::with_email(connection, after.email.as_str())?.is_some() {
                return Err(Error::Conflict("This address is a judge's already.".into()));
            }
            judges::free_address(connection, &after.email)?;
        }
        if is_entrant(&after, &judges::entrants(connection)?) {
            return Err(competing());
        }
        judges::update(connection, &after)?;
        if let Some(former) = &former {
            stored_access::delete_of(connection, Audience::Judges, former)?;
            let reason = JudgeLinkReason::AddressChanged;
            access::queue_link(connection, &content, &public_url, &after.email, reason)?;
        }
        audit::record(connection, actor, "judge changed", &json!({ "judge": id }))
    })?;
    get(app, id)
}

/// Removes a judge: ends the link and all sessions, and deletes sheets that were not begun.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: scores of this judge count in a competition that is not published.
pub fn remove(app: &App, actor: &Actor, id: i64) -> Result<()> {
    let judge = get(app, id)?.judge;
    app.store.write(|connection| {
        let (published, unpublished): (Vec<_>, Vec<_>) =
            categories::all(connection)?.into_iter().partition(|category| category.published_at.is_some());
        for sheet in sheets::of_judge(connection, id)? {
            let is_published = published.iter().any(|category| {
                (&category.category, &category.sub_category) == (&sheet.category, &sheet.sub_category)
            });
            if sheet.state != SheetState::Open && !sheet.state.is_out() && !is_published {
                let message = format!("{} has scored {}, so the scores must stay.", judge.name, sheet.code);
                return Err(Error::Conflict(message));
            }
        }
        sheets::delete_all_open(connection, id)?;
        // In a published panel they stay: sealed again without them, the results would be others.
        for category in &unpublished {
            panels::remove_judge(connection, id, category.id)?;
            let subcategory = (category.category.as_str(), category.sub_category.as_str());
            sheets::update_replacements(connection, category.id, subcategory)?;
        }
        stored_access::delete_of(connection, Audience::Judges, &judge.email)?;
        judges::remove(connection, id, &time::stored(time::now()))?;
        audit::record(connection, actor, "judge removed", &json!({ "judge": id }))
    })
}

/// Ends all links, codes and sessions of a judge, and emails a new link.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: they are ended, but the mailbox had too many links today.
pub fn replace_link(app: &App, actor: &Actor, id: i64) -> Result<()> {
    let judge = get(app, id)?.judge;
    app.store.write(|connection| {
        stored_access::delete_of(connection, Audience::Judges, &judge.email)?;
        audit::record(connection, actor, "judge link replaced", &json!({ "judge": id }))
    })?;
    links::require_sent(access::send_link_because(app, &judge.email, JudgeLinkReason::Replaced)?)
}

fn unknown() -> Error {
    Error::NotFound("There is no such judge.".into())
}

/// Erases what is stored of a person as a judge; the scores stay, under the judge's number.
pub fn erase(connection: &Connection, email: &str, erased: &str) -> Result<usize> {
    relations::delete_about(connection, email)?;
    sheets::abstain_all(connection, email, erased)?;
    judges::forget(connection, email, erased, &time::stored(time::now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_shares_what_is_the_same_but_for_its_spelling() {
        let entrant = Entrant {
            nomination_id: 1,
            category: String::new(),
            sub_category: String::new(),
            name: "Ada Sample".into(),
            email: "ada@example.com".into(),
            phone: "+12015550101".into(),
            instagram: "@studio.uno".into(),
            business_name: "Studio Uno".into(),
        };
        let contact = |phone: &str, instagram: &str, business: &str| Contact {
            phone: Some(phone.into()),
            instagram: Some(instagram.into()),
            business_name: Some(business.into()),
        };
        for (contact, expected) in [
            (contact("", "", ""), None),
            (contact("+1 201-555-0101", "", ""), Some("phone number")),
            (contact("(201) 555-0101", "", ""), Some("phone number")),
            (contact("", "https://instagram.com/studio.uno", ""), Some("Instagram name")),
            (contact("+1 201-555-0102", "Studio_Uno", ""), Some("Instagram name")),
            (contact("", "@other", "STUDIO-UNO"), Some("business")),
            (Contact::default(), None),
        ] {
            assert_eq!(shared(&contact, &entrant), expected, "{contact:?}");
        }
        let freelance = Entrant { business_name: "Freelance".into(), ..entrant.clone() };
        assert_eq!(shared(&contact("", "", "freelance"), &freelance), None);
        let phone = contact("+1 201-555-0101", "", "");
        let entrants = [entrant];
        assert!(competes("x", "ADA@example.com", &Contact::default(), &entrants));
        assert!(competes("Ada  SAMPLE", "other@example.com", &phone, &entrants));
        assert!(!competes("Bea Sample", "other@example.com", &phone, &entrants));
    }
}
