//! The email that confirms a paid entry: thanks, a receipt for the accountant, the answers, and the texts that were
//! agreed to.

use minijinja::{Value, context};
use serde::Serialize;

use super::answers::{self, Reader};
use super::decision::filled_paragraphs;
use super::{Body, Closing, Event, Message, Visit, blank, greeting, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::Kind;
use crate::payments::pricing::{Quote, money, percentage};
use crate::site::content::Content;
use crate::site::content::placeholders::fill;
use crate::time;

/// Differs from the page's text, which announces this email.
pub const RECEIPT_TEXT: &str =
    "Thank you. Your payment has arrived and your entry is complete; this email is your receipt.";

pub const RECEIPT_SUBJECT: &str = "Your entry {number} is paid: {categories}";

/// The facts of a payment.
pub struct Receipt<'a> {
    pub entry_id: i64,
    /// The provider's payment intent.
    pub intent_id: &'a str,
    /// RFC 3339, UTC.
    pub paid_at: &'a str,
    /// With tax.
    pub amount_cents: i64,
    /// What the person saw before paying; `None` for an entry from before quotes were stored.
    pub quote: Option<Quote>,
    /// A JSON object from field to the version agreed to.
    pub agreed_to: Option<String>,
}

#[derive(Serialize)]
struct SummaryRow {
    label: &'static str,
    lines: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    label: String,
    amount: String,
}

#[derive(Serialize)]
struct Agreement {
    title: String,
    version: String,
}

/// The confirmation of a paid entry, ready for the outbox. The caller attaches the calendar file.
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn entry_confirmation(
    content: &Content,
    public_url: &str,
    record: &Record,
    receipt: &Receipt<'_>,
) -> Result<Message> {
    let page = &content.apply.entry;
    let (person, address) = record.person();
    let categories = content.categories_of(record).join(", ");
    let (number, amount) = (receipt.entry_id.to_string(), money(receipt.amount_cents));
    let filled = [
        ("name", plain::greeting_name(person)),
        ("event", content.event.name.as_str()),
        ("dates", &content.event.dates),
        ("number", &number),
        ("categories", &categories),
        ("amount", &amount),
    ];
    let edited = content.mail.texts.get("receipt");
    let subject = edited.map_or(RECEIPT_SUBJECT, |edited| edited.subject.as_str());
    let subject = one_line(&fill(subject, &filled));
    let thanks = filled_paragraphs(edited.map_or(RECEIPT_TEXT, |edited| edited.body.as_str()), &filled);
    let steps =
        content.mail.next.get(Kind::CompetitionEntries.as_str()).map(Vec::as_slice).unwrap_or_default();
    let body = Body::of(
        "entry",
        &context! {
            subject,
            heading => page.success_title,
            greeting => greeting(content, record),
            thanks => thanks.first(),
            more => thanks.get(1..),
            summary => summary(content, record, receipt),
            visit => Visit::of(content, public_url, Kind::CompetitionEntries),
            next => steps,
            receipt => values(content, record, receipt),
            agreements => agreements(content, receipt.agreed_to.as_deref()),
            sections => answers::sections(content, record, Reader::Sender),
            event => Event::of(content, public_url),
            mail => Closing::of(content),
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}

/// The rows at the top of the email.
fn summary(content: &Content, record: &Record, receipt: &Receipt<'_>) -> [SummaryRow; 3] {
    let nominations = content.nominations(record);
    let label = if nominations.len() == 1 { "Category" } else { "Categories" };
    [
        SummaryRow { label: "Entry number", lines: vec![receipt.entry_id.to_string()] },
        SummaryRow { label, lines: nominations },
        SummaryRow { label: "Paid", lines: vec![money(receipt.amount_cents)] },
    ]
}

/// The receipt's values for the template.
fn values(content: &Content, record: &Record, receipt: &Receipt<'_>) -> Value {
    let seller = &content.organiser;
    let (person, _) = record.person();
    context! {
        number => receipt.entry_id,
        date => time::local_date(receipt.paid_at, &content.event.time_zone),
        seller => seller.legal_name,
        seller_address => seller.address,
        buyer => person,
        buyer_business => record.text("businessName"),
        buyer_location => record.text("location"),
        lines => lines(content, record, receipt),
        total => money(receipt.amount_cents),
        reference => receipt.intent_id,
    }
}

/// The lines of the receipt above the total. Empty for an entry without a quote.
fn lines(content: &Content, record: &Record, receipt: &Receipt<'_>) -> Vec<Line> {
    let Some(quote) = &receipt.quote else { return Vec::new() };
    let line = |label: String, cents: i64| Line { label, amount: money(cents) };
    let fee = quote.breakdown.participant_fee_cents;
    let mut lines = vec![line(format!("{}, with one category", content.pass.name), fee)];
    let extra = quote.breakdown.additional_categories_cents;
    if extra > 0 {
        lines.push(line(format!("Additional categories: {}", record.count("additionalCategories")), extra));
    }
    lines.push(line("Subtotal".into(), quote.subtotal_cents));
    let rate = percentage(quote.tax_rate_basis_points);
    let value = record.text("taxLocation");
    let known = content.pricing.tax_locations.iter().find(|location| location.value == value);
    let location = known.map_or(value, |location| location.label.as_str());
    lines.push(line(format!("Sales tax, {location}, {rate}"), quote.tax_cents));
    lines
}

fn agreements(content: &Content, agreed_to: Option<&str>) -> Vec<Agreement> {
    let versions: serde_json::Value =
        agreed_to.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let agreement = |(field, text): (&str, &crate::site::content::model::forms::LegalText)| {
        let version = versions[field].as_str()?.to_owned();
        Some(Agreement { title: text.title.clone(), version })
    };
    content.documents(Kind::CompetitionEntries).into_iter().filter_map(agreement).collect()
}
