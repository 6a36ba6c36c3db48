//! Sends an email over SMTP. lettre has a timeout for single network operations only; a deadline for the whole send
//! needs its asynchronous transport, which stays inside this file.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::runtime::Runtime;

use super::Message;
use crate::config::{Smtp, SmtpSecurity};
use crate::error::{Error, Result};
use crate::time;

/// The timeout of one network operation; `smtp.timeout_seconds` limits the whole email.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(20);

/// Replies about our account, which SMTP calls permanent. The host can fix the account, so the email is retried.
const ACCOUNT_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// Refusals of a mailbox: it does not exist, has moved, or its name is wrong (RFC 5321, section 4.2.3; RFC 7504).
const RECIPIENT_CODES: [&str; 4] = ["550", "551", "553", "556"];

/// The server accepts no connection, or no more connections (RFC 5321, section 4.2.1).
const NOT_AVAILABLE: &str = "421";

/// Why an email was not sent.
#[derive(Debug)]
pub struct Failure {
    /// The server will never accept this email.
    pub is_final: bool,
    /// The server accepted no connection, so the email itself was not tried.
    pub is_of_connection: bool,
    /// The server will never accept an email to this address.
    pub is_of_recipient: bool,
    /// The message of the server or the library.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

pub struct Mailer {
    from: Mailbox,
    reply_to: Option<Mailbox>,
    /// `None` only during `drop`.
    transport: Option<AsyncSmtpTransport<Tokio1Executor>>,
    runtime: Runtime,
    /// The deadline for sending one email.
    timeout: Duration,
}

impl Drop for Mailer {
    /// The transport closes its connections on the runtime and panics when dropped outside it.
    fn drop(&mut self) {
        let _guard = self.runtime.enter();
        drop(self.transport.take());
    }
}

impl Mailer {
    /// A mailer for the configured server; `None` if none is configured.
    ///
    /// # Errors
    /// [`Error::Failed`] names the invalid setting.
    pub fn new(settings: &Smtp) -> Result<Option<Mailer>> {
        if settings.host.is_empty() {
            return Ok(None);
        }
        let from = mailbox("smtp.from", &settings.from)?;
        let reply_to = match settings.reply_to.as_str() {
            "" => None,
            address => Some(mailbox("smtp.reply_to", address)?),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let transport = {
            let _guard = runtime.enter();
            transport(settings)?
        };
        let timeout = Duration::from_secs(settings.timeout_seconds);
        Ok(Some(Mailer { from, reply_to, transport: Some(transport), runtime, timeout }))
    }

    /// Blocks until the server has accepted the email or refused it, or until the deadline.
    pub fn send(&self, message: &Message) -> std::result::Result<(), Failure> {
        let failed = |is_final: bool, message: String| Failure {
            is_final,
            is_of_connection: false,
            is_of_recipient: false,
            message,
        };
        let email = self.compose(message).map_err(|reason| failed(true, reason))?;
        let Some(transport) = &self.transport else {
            return Err(failed(false, "the mailer is shutting down".into()));
        };
        let sent = self.runtime.block_on(async {
            let sent = tokio::time::timeout(self.timeout, transport.send(email)).await;
            // lettre returns the connection to its pool in a task, which runs only while this runtime is blocked on.
            // Without this, the next email would open another connection.
            tokio::task::yield_now().await;
            sent
        });
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failure(&error)),
            Err(_) => {
                let seconds = self.timeout.as_secs();
                Err(failed(false, format!("the mail server did not accept the email within {seconds} s")))
            }
        }
    }

    fn compose(&self, message: &Message) -> std::result::Result<lettre::Message, String> {
        let to: Mailbox =
            message.to.parse().map_err(|error| format!("the address cannot be used: {error}"))?;
        let mut builder = lettre::Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(message.subject.clone())
            .message_id(Some(message.message_id.clone()))
            .date(time::now().into());
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        if let Some(url) = &message.unsubscribe {
            builder = builder.header(ListUnsubscribe(url.clone())).header(ListUnsubscribePost);
        }
        let text = message.body.text().map_err(|error| error.to_string())?;
        let html = message.body.html().map_err(|error| error.to_string())?;
        let body = MultiPart::alternative_plain_html(text, html);
        let mut parts = MultiPart::mixed().multipart(body.clone());
        for file in &message.attachments {
            let content_type = ContentType::parse(&file.content_type)
                .map_err(|error| format!("the attachment's type cannot be used: {error}"))?;
            let name = FileName(file.file_name.clone());
            parts = parts.singlepart(
                SinglePart::builder().header(name).header(content_type).body(file.content.clone()),
            );
        }
        builder
            .multipart(if message.attachments.is_empty() { body } else { parts })
            .map_err(|error| format!("the email cannot be composed: {error}"))
    }
}

/// An attachment's file name, always on one line. lettre splits a name of more than 30 characters into numbered parts,
/// which some mail programs do not reassemble.
#[derive(Clone)]
struct FileName(String);

impl Header for FileName {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Content-Disposition")
    }

    fn parse(text: &str) -> std::result::Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(FileName(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        let is_safe = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let name: String = self.0.chars().filter(is_safe).collect();
        let value = format!("attachment; filename=\"{name}\"");
        HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
    }
}

/// The link to unsubscribe. `url` is one of ours: ASCII without spaces or angle brackets.
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> std::result::Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribe(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        let url: String = self.0.chars().filter(char::is_ascii_graphic).collect();
        let value = format!("<{url}>");
        HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
    }
}

/// Says that a `POST` to the link is enough (RFC 8058, section 3.1).
#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> std::result::Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribePost)
    }

    fn display(&self) -> HeaderValue {
        let value = "List-Unsubscribe=One-Click".to_owned();
        HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
    }
}

fn transport(settings: &Smtp) -> Result<AsyncSmtpTransport<Tokio1Executor>> {
    let tls = || {
        TlsParameters::new(settings.host.clone())
            .map_err(|error| Error::Failed(format!("smtp.host cannot be used with TLS: {error}.")))
    };
    let security = match settings.security {
        SmtpSecurity::Implicit => Tls::Wrapper(tls()?),
        SmtpSecurity::Starttls => Tls::Required(tls()?),
        SmtpSecurity::None => Tls::None,
    };
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
        .port(settings.port)
        .tls(security)
        .timeout(Some(OPERATION_TIMEOUT));
    if !settings.username.is_empty() {
        let (username, password) = (settings.username.expose(), settings.password.expose());
        builder = builder.credentials(Credentials::new(username.to_owned(), password.to_owned()));
    }
    Ok(builder.build())
}

fn mailbox(key: &str, text: &str) -> Result<Mailbox> {
    text.parse().map_err(|_| {
        Error::Failed(format!("{key} must be an address like 'Showcase <hello@example.com>', not '{text}'."))
    })
}

fn failure(error: &lettre::transport::smtp::Error) -> Failure {
    let code = error.status().map(|code| code.to_string()).unwrap_or_default();
    let is_account = ACCOUNT_CODES.contains(&code.as_str());
    let mut is_of_connection = code == NOT_AVAILABLE;
    let mut message = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let io = cause.downcast_ref::<std::io::Error>();
        is_of_connection |= io.is_some_and(|io| io.kind() == ErrorKind::ConnectionRefused);
        // lettre's message often ends with that of its cause.
        let cause_message = cause.to_string();
        if !message.contains(&cause_message) {
            message = format!("{message}: {cause_message}");
        }
        source = cause.source();
    }
    let is_final = error.is_permanent() && !is_account;
    // Servers also answer 550 where their policy refuses the email, with 5.7.x as the reason (RFC 3463).
    let is_of_recipient = is_final && RECIPIENT_CODES.contains(&code.as_str()) && !message.contains("5.7.");
    Failure { is_final, is_of_connection, is_of_recipient, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn mailer() -> Mailer {
        let settings = Smtp {
            host: "mail.example.com".into(),
            from: "Showcase <hello@example.com>".into(),
            ..Config::default().smtp
        };
        Mailer::new(&settings).expect("valid settings").expect("a mailer")
    }

    #[test]
    fn a_text_cannot_inject_a_header() {
        let hostile = "x\r\nBcc: victim@example.com\r\n\r\n<script>\nX: 1\rY: 2\u{85}Z: 3\u{2028}Q: 4";
        let message = Message {
            to: "ada@example.com".into(),
            subject: hostile.into(),
            body: super::super::Body::written(hostile, hostile),
            ..super::super::blank("https://example.com")
        };
        let email = mailer().compose(&message).expect("an email").formatted();
        let email = String::from_utf8_lossy(&email);
        let (headers, _) = email.split_once("\r\n\r\n").expect("headers and a body");
        let names: Vec<&str> = headers
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .filter_map(|line| line.split_once(':').map(|(name, _)| name))
            .collect();
        let expected = ["From", "To", "Subject", "Message-ID", "MIME-Version", "Date", "Content-Type"];
        assert!(names.iter().all(|name| expected.contains(name)), "{headers}");
        assert!(!headers.replace("\r\n", "").contains(['\n', '\r']), "{headers:?}");
        for to in ["ada@example.com\r\nBcc: b@example.com", "ada@example.com, b@example.com", "ada"] {
            let refused = mailer().compose(&Message { to: to.into(), ..message.clone() });
            assert!(refused.is_err(), "{to:?}");
        }
    }
}
