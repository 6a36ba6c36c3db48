//! The email that confirms a registration: thanks, the next steps, and the answers.

use minijinja::context;

use super::answers::{self, Reader};
use super::decision::filled_paragraphs;
use super::{Closing, Message, Visit, compose, greeting, kind_in_a_sentence, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::Kind;
use crate::site::content::Content;
use crate::site::content::model::forms::ApplyPage;
use crate::site::content::placeholders::fill;
use crate::time;

/// The line before the signature of a confirmation, while the application is not decided yet.
const SIGN_OFF_BEFORE_DECISION: &str = "With best wishes,";

/// The confirmation of the registration with number `id`, ready for the outbox. `earlier` is the stored instant of the
/// same person's earlier registration of this kind; the email then mentions it. Applicants, people who inquire and those on
/// the waitlist read nothing about their visit, because nobody has invited them yet.
pub fn confirmation(
    content: &Content,
    public_url: &str,
    record: &Record,
    id: i64,
    earlier: Option<&str>,
) -> Result<Message> {
    let texts = Texts::new(content, record.kind());
    let undecided = record.kind().is_application()
        || matches!(record.kind(), Kind::SponsorInquiries | Kind::WaitlistSignups);
    let closing = Closing::new(content);
    let sign_off = if undecided { SIGN_OFF_BEFORE_DECISION } else { closing.sign_off };
    let (person, address) = record.person();
    let person = plain::greeting_name(person);
    let kind_name = kind_in_a_sentence(record.kind());
    let event = &content.event;
    let placeholders =
        [("name", person), ("event", event.name.as_str()), ("kind", &kind_name), ("dates", &event.dates)];
    let (subject, thanks) = match content.mail.texts.get(&format!("confirmation.{}", record.kind())) {
        Some(edited) => {
            (fill(&edited.subject, &placeholders), filled_paragraphs(&edited.body, &placeholders))
        }
        None => (default_subject(content, record.kind()), vec![texts.thanks.to_owned()]),
    };
    let subject = one_line(&subject);
    let again = earlier.map(|instant| {
        let date = time::local_date(instant, &content.event.time_zone);
        fill(&content.mail.again, &[("name", person), ("kind", &kind_name), ("date", &date)])
    });
    let values = context! {
        heading => texts.heading,
        greeting => greeting(content, record),
        thanks => thanks.first(),
        // The further paragraphs of an edited text.
        more => thanks.get(1..),
        next => texts.next,
        again,
        number => id,
        // Omits when and where the event is.
        undecided,
        visit => Visit::new(content, public_url, record.kind()),
        sections => answers::sections(content, record, Reader::Sender),
        mail => Closing { sign_off, ..closing },
    };
    compose(content, public_url, address, subject, "confirmation", values)
}

/// The subject and the text of the confirmation, as they are without an edited text.
pub fn confirmation_text(content: &Content, kind: Kind) -> (String, String) {
    let texts = Texts::new(content, kind);
    (default_subject(content, kind), texts.thanks.to_owned())
}

/// The subject without an edited text. Its topic comes first, because phones show only about 40 characters in a list.
fn default_subject(content: &Content, kind: Kind) -> String {
    let what = match kind {
        Kind::WaitlistSignups => "You are on the waitlist".to_owned(),
        _ => format!("We have your {}", kind_in_a_sentence(kind)),
    };
    format!("{what}: {}", content.event.name)
}

/// The content's texts for a person who has sent a form of one kind.
struct Texts<'a> {
    heading: &'a str,
    thanks: &'a str,
    next: Vec<String>,
}

impl<'a> Texts<'a> {
    fn new(content: &'a Content, kind: Kind) -> Texts<'a> {
        let (apply, waitlist, sponsors) = (&content.apply, &content.home.waitlist, &content.sponsors);
        let page = |page: &'a ApplyPage| (&page.success_title, &page.success_text, Some(&page.note));
        let (heading, thanks, note) = match kind {
            Kind::SpeakerApplications => page(&apply.speaker),
            Kind::JudgeApplications => page(&apply.judge),
            Kind::SponsorApplications => page(&apply.sponsor),
            Kind::ProfessionalDemoRegistrations => page(&apply.demo),
            Kind::CompetitionEntries => {
                (&apply.entry.success_title, &apply.entry.success_text, Some(&apply.entry.note))
            }
            Kind::WaitlistSignups => (&waitlist.success_title, &waitlist.success_text, None),
            Kind::SponsorInquiries => (&sponsors.inquiry_success_title, &sponsors.inquiry_success_text, None),
        };
        let mut next = content.next_steps(kind, time::now());
        if next.is_empty() && !content.mail.next.contains_key(kind.as_str()) {
            next.extend(note.cloned());
        }
        Texts { heading, thanks, next }
    }
}
