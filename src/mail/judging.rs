//! The emails of judging: a judge's link, and the results to a competitor.

use minijinja::context;

use super::templates::hidden;
use super::{CODE_MINUTES, Closing, Message, compose, greeting, greeting_to, link, one_line};
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
pub fn judge_link(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    until: &str,
    reason: JudgeLinkReason,
) -> Result<Message> {
    let (organiser, facts) = (&content.organiser.name, &content.event);
    let subject = match reason {
        JudgeLinkReason::Invited => one_line(&format!("You are invited to judge {}", facts.name)),
        _ => "Your link to the entries you judge".to_owned(),
    };
    let opening = match reason {
        JudgeLinkReason::Invited => {
            Some(format!("{organiser} invited you to judge {}, {}, {}.", facts.name, facts.dates, facts.city))
        }
        JudgeLinkReason::Replaced => {
            Some(format!("{organiser} sends you a new link. Links that were sent before no longer work."))
        }
        JudgeLinkReason::AddressChanged => Some(format!(
            "{organiser} changed your email address to this one. Links sent to the former address no longer work."
        )),
        JudgeLinkReason::Requested => None,
    };
    let footer = if opening.is_some() { INVITED_FOOTER } else { REQUESTED_FOOTER };
    let values = context! {
        greeting => greeting_to(content, name),
        opening,
        is_requested => reason == JudgeLinkReason::Requested,
        secret => hidden(),
        page => format!("{public_url}/judge"),
        until,
        minutes => CODE_MINUTES,
        mail => Closing { footer, ..Closing::new(content) },
    };
    compose(content, public_url, address, subject, "judge-link", values)
}

/// Announces a competitor's score sheet without any of its contents. While the Artist Portal, which has the score sheets, is
/// closed, it leads to the page of results instead. `nomination` is its label and its id; `corrected` is whether other
/// results were public before.
pub fn results_published(
    content: &Content,
    public_url: &str,
    record: &Record,
    (nomination, id): (&str, i64),
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
        ("Open your score sheet", format!("score-sheet?nomination={id}"))
    } else {
        ("See the results", "results".to_owned())
    };
    let link = link(label, &format!("{public_url}/{page}"));
    let values = context! { greeting => greeting(content, record), paragraphs, link };
    compose(content, public_url, address, subject, "decision", values)
}
