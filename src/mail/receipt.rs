//! The email that confirms a paid entry: thanks, a receipt for the accountant, the answers, and the texts that were
//! agreed to.

use minijinja::context;
use serde::Serialize;

use super::answers::{self, Reader};
use super::decision::filled_paragraphs;
use super::{Message, Visit, compose, greeting, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::{Cents, EntryId, IntentId, Kind};
use crate::payments::pricing::{Quote, percentage};
use crate::site::content::Content;
use crate::site::content::placeholders::fill;
use crate::time;

/// Differs from the page's text, which announces this email.
pub const RECEIPT_TEXT: &str =
    "Thank you. Your payment has arrived and your entry is complete; this email is your receipt.";

pub const RECEIPT_SUBJECT: &str = "Your entry {number} is paid: {categories}";
const COMPLIMENTARY_SUBJECT: &str = "Your entry {number} is complimentary: {categories}";
const COMPLIMENTARY_TEXT: &str =
    "Thank you. You are our guest: your entry is complete, and there is nothing to pay.";

/// The facts of a payment.
pub struct Receipt<'a> {
    pub entry_id: EntryId,
    /// The provider's payment intent.
    pub intent_id: &'a IntentId,
    /// RFC 3339, UTC.
    pub paid_at: &'a str,
    /// Including tax.
    pub amount_cents: Cents,
    /// The quote that the person saw before paying; `None` if none is stored.
    pub quote: Option<Quote>,
    /// A JSON object from field to the version agreed to.
    pub agreed_to: Option<String>,
    /// The link to the receipt's page.
    pub url: Option<String>,
    /// The labels of categories for which the person has paid before, with those entries.
    pub paid_before: Vec<(String, EntryId)>,
}

/// A receipt as people read it.
#[derive(Debug, Serialize)]
pub struct ReceiptLines {
    number: EntryId,
    date: String,
    seller: String,
    seller_address: Vec<String>,
    buyer: String,
    buyer_business: String,
    buyer_location: String,
    /// Above the total. Empty for an entry without a quote.
    lines: Vec<Line>,
    total: String,
    reference: String,
    url: Option<String>,
}

#[derive(Serialize)]
struct SummaryRow {
    label: &'static str,
    lines: Vec<String>,
}

#[derive(Debug, Serialize)]
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
pub fn entry_confirmation(
    content: &Content,
    public_url: &str,
    record: &Record,
    receipt: &Receipt<'_>,
) -> Result<Message> {
    let edited = content.mail.texts.get("receipt");
    let confirmation = Confirmation {
        entry_id: receipt.entry_id,
        subject: edited.map_or(RECEIPT_SUBJECT, |edited| edited.subject.as_str()),
        text: edited.map_or(RECEIPT_TEXT, |edited| edited.body.as_str()),
        paid: receipt.amount_cents.to_string(),
        receipt: Some(receipt_lines(content, record, receipt)),
        agreed_to: receipt.agreed_to.as_deref(),
        paid_before: &receipt.paid_before,
    };
    confirmation.message(content, public_url, record)
}

/// The confirmation of an entry that takes part without a payment.
pub fn complimentary_confirmation(
    content: &Content,
    public_url: &str,
    record: &Record,
    entry_id: EntryId,
    agreed_to: Option<String>,
) -> Result<Message> {
    let confirmation = Confirmation {
        entry_id,
        subject: COMPLIMENTARY_SUBJECT,
        text: COMPLIMENTARY_TEXT,
        paid: "Nothing to pay".to_owned(),
        receipt: None,
        agreed_to: agreed_to.as_deref(),
        paid_before: &[],
    };
    confirmation.message(content, public_url, record)
}

/// The parts in which the confirmations of paid and of complimentary entries differ.
struct Confirmation<'a> {
    entry_id: EntryId,
    /// Contains placeholders, like the text.
    subject: &'a str,
    text: &'a str,
    paid: String,
    receipt: Option<ReceiptLines>,
    agreed_to: Option<&'a str>,
    paid_before: &'a [(String, EntryId)],
}

impl Confirmation<'_> {
    fn message(self, content: &Content, public_url: &str, record: &Record) -> Result<Message> {
        let page = &content.apply.entry;
        let (person, address) = record.person();
        let (number, categories) = (self.entry_id.to_string(), content.categories_of(record).join(", "));
        let filled = [
            ("name", plain::greeting_name(person)),
            ("event", content.event.name.as_str()),
            ("dates", &content.event.dates),
            ("number", &number),
            ("categories", &categories),
            ("amount", &self.paid),
        ];
        let subject = one_line(&fill(self.subject, &filled));
        let mut thanks = filled_paragraphs(self.text, &filled);
        thanks.extend(self.paid_before.iter().map(|(label, entry)| {
            format!(
                "You have already paid for {label}, in entry {entry}. If that was a mistake, please reply to this email, \
                 and we refund one of the two."
            )
        }));
        let now = time::now();
        let values = context! {
            heading => page.success_title,
            greeting => greeting(content, record),
            thanks => thanks.first(),
            more => thanks.get(1..),
            summary => summary(content, record, self.entry_id, &self.paid),
            visit => Visit::new(content, public_url, Kind::CompetitionEntries),
            journey => content.journey(now),
            next => content.next_steps(Kind::CompetitionEntries, now),
            portal => content.portal.open.then(|| format!("{public_url}/artist-portal")),
            receipt => self.receipt,
            agreements => agreements(content, self.agreed_to),
            sections => answers::sections(content, record, Reader::Sender),
        };
        compose(content, public_url, address, subject, "entry", values)
    }
}

/// The rows at the top of the email.
fn summary(content: &Content, record: &Record, entry_id: EntryId, paid: &str) -> [SummaryRow; 3] {
    let nominations = content.nominations(record);
    let label = if nominations.len() == 1 { "Category" } else { "Categories" };
    [
        SummaryRow { label: "Entry number", lines: vec![entry_id.to_string()] },
        SummaryRow { label, lines: nominations },
        SummaryRow { label: "Paid", lines: vec![paid.to_owned()] },
    ]
}

/// The receipt of a paid entry.
pub fn receipt_lines(content: &Content, record: &Record, receipt: &Receipt<'_>) -> ReceiptLines {
    let seller = &content.organiser;
    let (person, _) = record.person();
    ReceiptLines {
        number: receipt.entry_id,
        date: time::local_date(receipt.paid_at, &content.event.time_zone),
        seller: seller.legal_name.clone(),
        seller_address: seller.address.to_vec(),
        buyer: person.to_owned(),
        buyer_business: record.text("businessName").to_owned(),
        buyer_location: record.text("location").to_owned(),
        lines: lines(content, record, receipt),
        total: receipt.amount_cents.to_string(),
        reference: receipt.intent_id.to_string(),
        url: receipt.url.clone(),
    }
}

/// The lines of the receipt above the total. Empty for an entry without a quote.
fn lines(content: &Content, record: &Record, receipt: &Receipt<'_>) -> Vec<Line> {
    let Some(quote) = &receipt.quote else { return Vec::new() };
    let line = |label: String, amount: Cents| Line { label, amount: amount.to_string() };
    let fee = quote.breakdown.participant_fee_cents;
    let mut lines = vec![line(format!("{}, with one category", content.pass.name), fee)];
    let extra = quote.breakdown.additional_categories_cents;
    if extra > Cents(0) {
        let label = match record.count("additionalCategories") {
            1 => "1 additional category".to_owned(),
            count => format!("{count} additional categories"),
        };
        lines.push(line(label, extra));
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
