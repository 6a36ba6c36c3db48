//! Hands a mail to the mail server. The library limits only connecting, so a whole send is given
//! a deadline here; that needs its asynchronous transport, which stays inside this file.

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

/// A server that has not taken a mail by then is tried again later.
const WHOLE_SEND: Duration = Duration::from_secs(60);

/// Answers that are about our own account: permanent in the protocol, but mended by the host.
const ACCOUNT_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// The server takes no connection now, or none more (RFC 5321, section 4.2.1).
const NOT_AVAILABLE: &str = "421";

/// Why a mail was not taken.
#[derive(Debug)]
pub struct Failure {
    /// The server will never take this mail.
    pub is_final: bool,
    /// The server took no connection, so that the mail was not even offered.
    pub is_of_connection: bool,
    /// The server's or the library's words.
    pub words: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words)
    }
}

pub struct Mailer {
    from: Mailbox,
    reply_to: Option<Mailbox>,
    /// `None` only while it is dropped.
    transport: Option<AsyncSmtpTransport<Tokio1Executor>>,
    runtime: Runtime,
}

impl Drop for Mailer {
    /// The transport closes its connections on the runtime, and panics when dropped outside of it.
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        drop(self.transport.take());
    }
}

impl Mailer {
    /// A mailer for the configured server; `None` when there is none.
    ///
    /// # Errors
    /// [`Error::Failed`] names the setting that makes no sense.
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
            let _inside = runtime.enter();
            transport(settings)?
        };
        Ok(Some(Mailer { from, reply_to, transport: Some(transport), runtime }))
    }

    /// Blocks until the server has taken the mail, refused it, or taken too long.
    pub fn send(&self, message: &Message) -> std::result::Result<(), Failure> {
        let failed = |is_final: bool, words: String| Failure { is_final, is_of_connection: false, words };
        let mail = self.compose(message).map_err(|words| failed(true, words))?;
        let Some(transport) = &self.transport else {
            return Err(failed(false, "the mail server is no longer used".into()));
        };
        let sent = self.runtime.block_on(async {
            let sent = tokio::time::timeout(WHOLE_SEND, transport.send(mail)).await;
            // The library gives the connection back to its pool in a task of its own, which runs only while this
            // runtime is blocked on: without this the next mail would open another connection.
            tokio::task::yield_now().await;
            sent
        });
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failure(&error)),
            Err(_) => {
                Err(failed(false, format!("the mail server took longer than {} s", WHOLE_SEND.as_secs())))
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
            .message_id(Some(message.message_id.clone()));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        let text = message.body.text().map_err(|error| error.to_string())?;
        let html = message.body.html().map_err(|error| error.to_string())?;
        let words = MultiPart::alternative_plain_html(text, html);
        let mut parts = MultiPart::mixed().multipart(words.clone());
        for file in &message.attachments {
            let content_type = ContentType::parse(&file.content_type)
                .map_err(|error| format!("the attachment's type cannot be used: {error}"))?;
            let name = FileName(file.file_name.clone());
            parts = parts.singlepart(
                SinglePart::builder().header(name).header(content_type).body(file.content.clone()),
            );
        }
        builder
            .multipart(if message.attachments.is_empty() { words } else { parts })
            .map_err(|error| format!("the mail cannot be composed: {error}"))
    }
}

/// The name of a file of ours, on one line whatever its length: the library cuts one of more than 30 letters into
/// numbered pieces, which some mail programs do not put together.
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
        let safe = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let name: String = self.0.chars().filter(safe).collect();
        let value = format!("attachment; filename=\"{name}\"");
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
        .timeout(Some(Duration::from_secs(20)));
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
    let mut words = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let io = cause.downcast_ref::<std::io::Error>();
        is_of_connection |= io.is_some_and(|io| io.kind() == ErrorKind::ConnectionRefused);
        // The library's own words often end with those of their cause.
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            words = format!("{words}: {cause_words}");
        }
        source = cause.source();
    }
    Failure { is_final: error.is_permanent() && !is_account, is_of_connection, words }
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
        Mailer::new(&settings).expect("settings that make sense").expect("a mailer")
    }

    #[test]
    fn no_text_becomes_a_header() {
        let hostile = "x\r\nBcc: victim@example.com\r\n\r\n<script>\nX: 1\rY: 2\u{85}Z: 3\u{2028}Q: 4";
        let message = Message {
            to: "ada@example.com".into(),
            subject: hostile.into(),
            body: super::super::Body::written(hostile, hostile),
            ..super::super::blank("https://example.com")
        };
        let mail = mailer().compose(&message).expect("a mail").formatted();
        let mail = String::from_utf8_lossy(&mail);
        let (headers, _) = mail.split_once("\r\n\r\n").expect("headers and a body");
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
