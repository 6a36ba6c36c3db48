//! The email about a refund.

use minijinja::context;

use super::{Message, compose_text};
use crate::error::Result;
use crate::forms::Record;
use crate::model::{Cents, EntryId};
use crate::site::content::Content;

/// The second paragraph of the email about the refund of one category.
const CATEGORY_WITHDRAWN: &str =
    "With this refund, your category {category} is withdrawn. The rest of your entry stays.";

/// `category` is the label of the category that was refunded and withdrawn.
pub fn refund(
    content: &Content,
    public_url: &str,
    record: &Record,
    entry_id: EntryId,
    amount: Cents,
    category: Option<&str>,
) -> Result<Message> {
    let mut text = content.mail.text("refund", &content.mail.refund).into_owned();
    let (amount, number) = (amount.to_string(), entry_id.to_string());
    let mut values = vec![("amount", amount.as_str()), ("number", &number)];
    if let Some(category) = category {
        let body = text.body.replace('\r', "");
        let (first, rest) = body.trim().split_once("\n\n").unwrap_or((&body, ""));
        text.body = format!("{first}\n\n{CATEGORY_WITHDRAWN}\n\n{rest}");
        values.push(("category", category));
    }
    compose_text(content, public_url, record, &text, &values, context! {})
}
