//! The placeholders and the kinds of registration that the email texts name.

use super::Findings;
use crate::model::Kind;
use crate::site::content::model::Content;
use crate::site::content::model::event::Decision;
use crate::site::content::placeholders::{self, AGAIN, DECISION, GREETING, INVITATION, REFUND, REMINDER};
use crate::site::content::problem::not_known;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let mail = &content.mail;
    check_names("mail.greeting", &mail.greeting, &GREETING, findings);
    check_names("mail.again", &mail.again, &AGAIN, findings);
    for kind in mail.next.keys() {
        check_kind(&format!("mail.next.{kind}"), kind, findings);
    }
    for kind in mail.promises.keys() {
        check_kind(&format!("mail.promises.{kind}"), kind, findings);
    }
    let reminder = &mail.reminder;
    check_email("mail.reminder", &reminder.subject, &reminder.body, &REMINDER, findings);
    let invitation = &mail.invitation;
    check_email("mail.invitation", &invitation.subject, &invitation.body, &INVITATION, findings);
    check_email("mail.refund", &mail.refund.subject, &mail.refund.body, &REFUND, findings);
    let decisions = &mail.decisions;
    for (status, decision) in [
        ("accepted", &decisions.accepted),
        ("waitlisted", &decisions.waitlisted),
        ("declined", &decisions.declined),
    ] {
        check_decision(&format!("mail.decisions.{status}"), decision, findings);
    }
}

fn check_decision(key: &str, decision: &Decision, findings: &mut Findings<'_>) {
    check_email(key, &decision.subject, &decision.body, &DECISION, findings);
    for (kind, text) in &decision.for_kind {
        let key = format!("{key}.for_kind.{kind}");
        check_kind(&key, kind, findings);
        check_email(&key, &text.subject, &text.body, &DECISION, findings);
    }
}

pub(super) fn check_kind(key: &str, kind: &str, findings: &mut Findings<'_>) {
    if kind.parse::<Kind>().is_err() {
        let kinds = Kind::ALL.into_iter().map(Kind::as_str);
        findings.add(key, not_known(kind, "a kind of registration", kinds));
    }
}

fn check_email(key: &str, subject: &str, body: &str, known: &[&str], findings: &mut Findings<'_>) {
    let subject_key = format!("{key}.subject");
    findings.require(!subject.trim().contains(['\n', '\t']), &*subject_key, "must be one line");
    check_names(&subject_key, subject, known, findings);
    check_names(&format!("{key}.body"), body, known, findings);
}

fn check_names(key: &str, text: &str, known: &[&str], findings: &mut Findings<'_>) {
    for name in placeholders::names(text).filter(|name| !known.contains(name)) {
        findings.add(key, not_known(name, "a placeholder that works here", known.iter().copied()));
    }
}
