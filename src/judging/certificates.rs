//! Certificates, and what `/verify/<code>` says about one. Both are available once the results are published.

use rusqlite::Connection;

use super::sealed_results::{ResultState, Sealed};
use crate::app::App;
use crate::error::{Error, Result};
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::certificates::{self, Subject};
use crate::store::judging::judges;
use crate::store::judging::panels::{self, PanelRole};
use crate::store::portal::nominations;
use crate::time;

pub use crate::store::judging::certificates::CertificateKind;

/// Letters and digits that cannot be taken for one another.
const ALPHABET: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
/// 31 to this power is about 2^59.
const CODE_LENGTH: usize = 12;
/// The places that have a certificate of their own begin with the first and end with this one.
const LAST_AWARDED_PLACE: u32 = 3;

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CertificateText"))]
pub struct Certificate {
    pub kind: CertificateKind,
    pub name: String,
    /// The competition, or the event for a speaker's certificate.
    pub label: String,
    pub place: Option<u32>,
    pub award: String,
    #[serde(skip)]
    pub code: String,
    #[serde(skip)]
    pub category: String,
    #[serde(skip)]
    pub sub_category: String,
}

/// Issues the codes of a subcategory, within the transaction that publishes it.
pub(super) fn issue(connection: &Connection, stored: &Category, sealed: &Sealed, at: &str) -> Result<()> {
    for nomination in nominations::of_category(connection, &stored.category, &stored.sub_category)? {
        let Some(result) = sealed.result(&nomination.code) else { continue };
        if result.state == ResultState::Disqualified {
            continue;
        }
        ensure(connection, &competitor(CertificateKind::Participant, stored.id, nomination.id), at)?;
        if is_awarded(result.place) {
            ensure(connection, &competitor(CertificateKind::Place, stored.id, nomination.id), at)?;
        }
    }
    for judge in judged_by(connection, stored, sealed)? {
        let subject = Subject {
            judge_id: Some(judge),
            category_id: Some(stored.id),
            ..Subject::new(CertificateKind::Judge)
        };
        ensure(connection, &subject, at)?;
    }
    Ok(())
}

/// The judges of the panel, with the reserves whose sheets count.
fn judged_by(connection: &Connection, stored: &Category, sealed: &Sealed) -> Result<Vec<i64>> {
    let counts = |judge: &i64| sealed.entries.iter().any(|entry| entry.judges.contains(judge));
    let mut members = panels::members(connection, stored.id)?;
    members.retain(|member| member.role != PanelRole::Reserve || counts(&member.judge_id));
    Ok(members.into_iter().map(|member| member.judge_id).collect())
}

fn competitor(kind: CertificateKind, category_id: i64, nomination_id: i64) -> Subject {
    Subject { nomination_id: Some(nomination_id), category_id: Some(category_id), ..Subject::new(kind) }
}

fn speaker(application_id: i64) -> Subject {
    Subject { application_id: Some(application_id), ..Subject::new(CertificateKind::Speaker) }
}

fn is_awarded(place: Option<u32>) -> bool {
    place.is_some_and(|place| place <= LAST_AWARDED_PLACE)
}

fn ensure(connection: &Connection, subject: &Subject, at: &str) -> Result<String> {
    if let Some(code) = certificates::code_of(connection, subject)? {
        return Ok(code);
    }
    let code: String =
        (0..CODE_LENGTH).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect();
    certificates::insert(connection, &code, subject, at)?;
    Ok(code)
}

/// Codes for accepted speakers that have none.
///
/// # Errors
/// The first one, after all speakers were tried.
pub(super) fn issue_to_speakers(app: &App) -> Result<()> {
    let without = app.store.read(|connection| {
        let mut without = Vec::new();
        for (id, _) in certificates::speakers(connection)? {
            if certificates::code_of(connection, &speaker(id))?.is_none() {
                without.push(id);
            }
        }
        Ok(without)
    })?;
    let mut outcome = Ok(());
    for id in without {
        let at = time::stored(time::now());
        let issued = app.store.write(|connection| ensure(connection, &speaker(id), &at).map(drop));
        outcome = outcome.and(issued);
    }
    outcome
}

/// Which certificates are listed.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub kind: Option<CertificateKind>,
    pub category: Option<(String, String)>,
}

/// The certificates of published competitions, and of accepted speakers.
pub fn list(app: &App, filter: &Filter) -> Result<Vec<Certificate>> {
    let content = app.content();
    let is_wanted = |certificate: &Certificate| {
        let Certificate { kind, category, sub_category, .. } = certificate;
        filter.kind.is_none_or(|wanted| wanted == *kind)
            && filter
                .category
                .as_ref()
                .is_none_or(|wanted| (&wanted.0, &wanted.1) == (category, sub_category))
    };
    app.store.read(|connection| {
        let reader = CertificateReader::read(connection, &content)?;
        let mut found = Vec::new();
        for (code, subject) in certificates::all(connection)? {
            found.extend(reader.certificate(&code, &subject)?.filter(is_wanted));
        }
        Ok(found)
    })
}

/// The certificate with a code.
///
/// # Errors
/// [`Error::NotFound`]: there is none, or its results are not public.
pub fn verify(app: &App, code: &str) -> Result<Certificate> {
    let content = app.content();
    let code = code.trim().to_uppercase();
    app.store
        .read(|connection| {
            let Some(subject) = certificates::find(connection, &code)? else { return Ok(None) };
            CertificateReader::read(connection, &content)?.certificate(&code, &subject)
        })?
        .ok_or_else(|| Error::NotFound("There is no certificate with this code.".into()))
}

/// The records that certificates are about, read once for all certificates.
struct CertificateReader<'a> {
    connection: &'a Connection,
    content: &'a Content,
    published: Vec<(Category, Sealed)>,
    speakers: Vec<(i64, String)>,
}

impl<'a> CertificateReader<'a> {
    fn read(connection: &'a Connection, content: &'a Content) -> Result<Self> {
        let mut published = Vec::new();
        for category in categories::all(connection)? {
            if let Some(sealed) = Sealed::published(&category)? {
                published.push((category, sealed));
            }
        }
        let speakers = certificates::speakers(connection)?;
        Ok(CertificateReader { connection, content, published, speakers })
    }

    /// `None` while its results are not public, if its person was erased or removed, or if the place was lost when the results
    /// were sealed again.
    fn certificate(&self, code: &str, subject: &Subject) -> Result<Option<Certificate>> {
        let mut certificate = Certificate {
            kind: subject.kind,
            name: String::new(),
            label: String::new(),
            place: None,
            award: String::new(),
            code: code.to_owned(),
            category: String::new(),
            sub_category: String::new(),
        };
        if let Some(id) = subject.application_id {
            let found = self.speakers.iter().find(|(application, _)| *application == id);
            let label = self.content.event.name.clone();
            return Ok(found.map(|(_, name)| Certificate { name: name.clone(), label, ..certificate }));
        }
        let mut published = self.published.iter();
        let Some((stored, sealed)) = published.find(|(category, _)| Some(category.id) == subject.category_id)
        else {
            return Ok(None);
        };
        certificate.label = self.content.nomination(&stored.category, &stored.sub_category);
        certificate.category.clone_from(&stored.category);
        certificate.sub_category.clone_from(&stored.sub_category);
        if let Some(id) = subject.judge_id {
            // A reserve's sheet may not count any more when the results were sealed again.
            if !judged_by(self.connection, stored, sealed)?.contains(&id) {
                return Ok(None);
            }
            let judge = judges::get(self.connection, id)?.filter(|judge| judge.removed_at.is_none());
            return Ok(judge.map(|judge| Certificate { name: judge.shown_name().to_owned(), ..certificate }));
        }
        let Some(id) = subject.nomination_id else { return Ok(None) };
        let Some(nomination) = nominations::get(self.connection, id)? else { return Ok(None) };
        let Some(entrant) = nominations::entrant(self.connection, nomination.entry_id)? else {
            return Ok(None);
        };
        certificate.name = entrant.name;
        let Some(result) = sealed.result(&nomination.code) else { return Ok(None) };
        if result.state == ResultState::Disqualified {
            return Ok(None);
        }
        if subject.kind == CertificateKind::Place {
            if !is_awarded(result.place) {
                return Ok(None);
            }
            certificate.place = result.place;
            certificate.award = self.content.award(&stored.category, &stored.sub_category).to_owned();
        }
        Ok(Some(certificate))
    }
}

/// The code of a nomination's certificate: the place's if its sealed place has one, otherwise the participant's.
pub fn of_nomination(
    connection: &Connection,
    category_id: i64,
    nomination_id: i64,
    place: Option<u32>,
) -> Result<Option<String>> {
    let kind = if is_awarded(place) { CertificateKind::Place } else { CertificateKind::Participant };
    certificates::code_of(connection, &competitor(kind, category_id, nomination_id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::Config;
    use crate::model::Kind;
    use crate::registrations::submit::{Submission, register};

    #[test]
    fn a_speaker_whose_certificate_cannot_be_stored_keeps_it_from_nobody() {
        let (_folder, app) = App::for_test(Config::default());
        for name in ["Ada", "Bea", "Cleo"] {
            let body = json!({
                "name": name, "email": format!("{name}@example.com"), "phone": "+1 201-555-0101", "company": "Sample Studio",
                "expertise": "education", "speakingExperience": "experienced", "experience": "e".repeat(50),
                "topicProposal": "t".repeat(100), "termsAccepted": true, "photographyConsent": true
            });
            register(&app, &Submission::new(Kind::SpeakerApplications, &body)).expect("stored");
        }
        let fails = "update speaker_applications set status = 'accepted';
             create trigger broken before insert on certificates when new.application_id = 1
             begin select raise(abort, 'broken'); end";
        app.store.write(|connection| Ok(connection.execute_batch(fails)?)).expect("a fault");
        let error = issue_to_speakers(&app).expect_err("one fails");
        assert!(error.for_log().contains("broken"), "{error:?}");
        let stored = app.store.read(certificates::all).expect("certificates");
        let mut speakers: Vec<_> =
            stored.into_iter().filter_map(|(_, subject)| subject.application_id).collect();
        speakers.sort_unstable();
        assert_eq!(speakers, [2, 3]);
    }
}
