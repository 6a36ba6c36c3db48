//! The emails of judging: a judge's link, and the results to a competitor.

use minijinja::context;

use super::templates::hidden;
use super::{Body, CODE_MINUTES, Closing, Event, Message, blank, greeting, greeting_to, one_line};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

const INVITED_FOOTER: &str = "You are receiving this because the organizer invited you as a judge.";
const REQUESTED_FOOTER: &str =
    "You are receiving this because somebody entered your address on our page for judges.";

/// Why a judge gets a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeLinkReason {
    /// The organiser invited the judge.
    Invited,
    /// The organiser ended the judge's links.
    Replaced,
    /// The organiser replaced the judge's address.
    AddressChanged,
    /// The judge asked for it on the judges' page. Somebody else may have typed the address.
    Requested,
}

/// `until` is as in [`super::artist_link()`].
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn judge_link(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    until: &str,
    reason: JudgeLinkReason,
) -> Result<Message> {
    let (organiser, facts) = (&content.organiser.name, &content.event);
    let link_subject = || "Your link to the entries you judge".to_owned();
    let (subject, opening, footer) = match reason {
        JudgeLinkReason::Invited => (
            one_line(&format!("You are invited to judge {}", facts.name)),
            Some(format!(
                "{organiser} invited you to judge {}, {}, {}.",
                facts.name, facts.dates, facts.city
            )),
            INVITED_FOOTER,
        ),
        JudgeLinkReason::Replaced => (
            link_subject(),
            Some(format!("{organiser} sends you a new link. Links that were sent before no longer work.")),
            INVITED_FOOTER,
        ),
        JudgeLinkReason::AddressChanged => (
            link_subject(),
            Some(format!(
                "{organiser} changed your email address to this one. Links sent to the former address no longer work."
            )),
            INVITED_FOOTER,
        ),
        JudgeLinkReason::Requested => (link_subject(), None, REQUESTED_FOOTER),
    };
    let body = Body::new(
        "judge-link",
        &context! {
            subject,
            greeting => greeting_to(content, name),
            opening,
            is_requested => reason == JudgeLinkReason::Requested,
            secret => hidden(),
            page => format!("{public_url}/judge"),
            until,
            minutes => CODE_MINUTES,
            event => Event::new(content, public_url),
            mail => Closing { footer, ..Closing::new(content) },
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}

/// Says that a competitor's score sheet is there, and nothing of what is on it. With a closed Artist Portal, which has the score
/// sheets, it leads to the page of results instead. `corrected` is whether others were public before.
///
/// # Errors
/// Those of [`judge_link`].
pub fn results_published(
    content: &Content,
    public_url: &str,
    record: &Record,
    nomination: &str,
    corrected: bool,
) -> Result<Message> {
    let (_, address) = record.person();
    let (subject, opening) = if corrected {
        (
            format!("Corrected results of {nomination}"),
            format!(
                "The results of {nomination} were corrected after they were published, and your points or your place changed."
            ),
        )
    } else {
        (
            format!("The results of {nomination} are out"),
            format!("The judges have scored every entry in {nomination}, and the results are public now."),
        )
    };
    let mut paragraphs = vec![opening];
    let (label, page) = if content.portal.open {
        paragraphs.push(
            "Your score sheet is in the Artist Portal: your points for each criterion beside those of all entries, and what \
             the judges wrote for you."
                .to_owned(),
        );
        ("Open your score sheet", "artist-portal")
    } else {
        ("See the results", "results")
    };
    let body = Body::new(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs,
            link => context! { label, url => format!("{public_url}/{page}") },
            event => Event::new(content, public_url),
            mail => Closing::new(content),
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
