//! Mails: what they say, in text and HTML, and how they are handed to the mail server.
//! Left out on purpose: when they are sent and sent again, which is the outbox's business.

mod confirmation;
mod templates;
mod transport;

pub use confirmation::confirmation;
pub use templates::render;
pub use transport::{Failure, Mailer};

/// A mail that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// With its angle brackets; the same at every try, so that a receiver can tell a repeat.
    pub message_id: String,
    /// `Name <address>` or an address.
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachments: Vec<Attachment>,
}

/// A file that leaves with a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub file_name: String,
    pub content_type: String,
    pub content: Vec<u8>,
}

/// A mail with nothing but its `Message-ID`, in the site's name.
pub fn blank(public_url: &str) -> Message {
    Message {
        message_id: message_id(public_url),
        to: String::new(),
        subject: String::new(),
        text: String::new(),
        html: String::new(),
        attachments: Vec::new(),
    }
}

/// A new `Message-ID` in the site's name.
fn message_id(public_url: &str) -> String {
    let host = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    format!("<{:032x}@{}>", rand::random::<u128>(), host.as_deref().unwrap_or("localhost"))
}
