//! The texts of standard emails that organisers have edited, in addition to the content.

use rusqlite::Connection;

use crate::error::Result;
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::store::mail_texts;

/// The content with the edited texts.
pub(super) fn applied(connection: &Connection, mut content: Content) -> Result<Content> {
    for text in mail_texts::list(connection)? {
        let email = EmailText { subject: text.subject, body: text.text, sign_off: String::new() };
        content.mail.texts.insert(text.name, email);
    }
    Ok(content)
}
