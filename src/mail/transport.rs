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

/// The server accepts no connection, or no more connections (RFC 5321, section 4.2.1).
const NOT_AVAILABLE: &str = "421";

/// What a failed attempt says about later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The mailbox does not exist: no email will ever arrive there.
    Mailbox,
    /// This email will never be sent, for a reason of its own.
    Mail,
    /// The server accepts nothing from us at the moment, or not this content: our account, its quota, or a policy.
    Account,
    /// This email may be sent later.
    Temporary,
}

/// Why an email was not sent.
#[derive(Debug)]
pub struct Failure {
    pub cause: Cause,
    /// The server accepted no connection, so the email itself was not tried.
    pub is_of_connection: bool,
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
        let failed = |cause: Cause, message: String| Failure { cause, is_of_connection: false, message };
        let email = self.compose(message).map_err(|reason| failed(Cause::Mail, reason))?;
        let Some(transport) = &self.transport else {
            return Err(failed(Cause::Temporary, "the mailer is shutting down".into()));
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
            Ok(Err(error)) => Err(failure(&error, &message.to)),
            Err(_) => {
                let seconds = self.timeout.as_secs();
                let message = format!("the mail server did not accept the email within {seconds} s");
                Err(failed(Cause::Temporary, message))
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

fn failure(error: &lettre::transport::smtp::Error, recipient: &str) -> Failure {
    let code = error.status().map(|code| code.to_string()).unwrap_or_default();
    let mut is_of_connection = code == NOT_AVAILABLE;
    let mut message = error.to_string();
    let mut reply = String::new();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let io = cause.downcast_ref::<std::io::Error>();
        is_of_connection |= io.is_some_and(|io| io.kind() == ErrorKind::ConnectionRefused);
        // lettre's message often ends with that of its cause.
        let cause_message = cause.to_string();
        if !message.contains(&cause_message) {
            message = format!("{message}: {cause_message}");
        }
        if reply.is_empty() {
            reply = cause_message;
        }
        source = cause.source();
    }
    Failure { cause: cause(&code, &reply, recipient), is_of_connection, message }
}

/// What a reply says about later attempts: by its enhanced code (RFC 3463) if it begins with one, otherwise by its words, since
/// servers answer `550` for a mailbox, a quota and a policy alike.
fn cause(code: &str, reply: &str, recipient: &str) -> Cause {
    // An address such as `accounts@example.com` says nothing about us.
    let (reply, recipient) = (reply.to_lowercase(), recipient.to_lowercase());
    let names_recipient = reply.contains(&recipient);
    let reply = reply.replace(&recipient, "");
    let has = |words: &[&str]| words.iter().any(|word| reply.contains(word));
    let enhanced = reply.split_whitespace().next().and_then(|first| {
        let numbers: Option<Vec<u16>> = first.split('.').map(|part| part.parse().ok()).collect();
        <[u16; 3]>::try_from(numbers?).ok()
    });
    // A reply that names the recipient may speak of their account. An enhanced code says whose it is.
    let is_about_recipient =
        names_recipient && enhanced.is_none() && matches!(code, "550" | "551" | "553" | "556");
    let is_about_us =
        has(&["relay", "quota", "limit", "throttl", "policy", "spam", "block", "sender", "authenticat"])
            || (!is_about_recipient && has(&["account", "denied"]));
    // Of a reply without an enhanced code: our address, our rate or our text.
    let is_about_our_email = !names_recipient
        && has(&["blacklist", "ip address", "too many", "exceeded", "content", "spf", "dkim", "dmarc"]);
    let is_unknown = names_recipient
        || has(&["unknown", "no such", "no mailbox", "unrouteable", "n't exist", "not exist", "not found"])
        || has(&["invalid recipient", "invalid mailbox", "mailbox unavailable"]);
    match (code, enhanced) {
        // Who must sign in first, or with another password (RFC 4954).
        ("530" | "534" | "535" | "538" | "454", _) => Cause::Account,
        // A mailbox that takes no email now.
        (_, Some([4, 2, _] | [5, 2, 1])) => Cause::Temporary,
        (_, Some([4, ..])) | ("421", _) if !is_about_us => Cause::Temporary,
        // 5.1.7 and 5.1.8 are about the sender's address.
        ("550" | "551" | "553" | "556", Some([5, 1, detail])) if !matches!(detail, 7 | 8) => Cause::Mailbox,
        ("550" | "551" | "553" | "556", None) if !is_about_us && !is_about_our_email && is_unknown => {
            Cause::Mailbox
        }
        ("550" | "551" | "553" | "556", None) if !is_about_us && !is_about_our_email => Cause::Mail,
        _ if code.starts_with('5') || (code.starts_with('4') && is_about_us) => Cause::Account,
        _ => Cause::Temporary,
    }
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

    /// Replies that the providers document. Which ones mark an address, pause everything, or concern one email alone.
    #[test]
    fn only_what_is_said_about_the_mailbox_marks_an_address() {
        for (code, reply, expected) in [
            // Gmail and Google Workspace
            ("550", "5.1.1 The email account that you tried to reach does not exist.", Cause::Mailbox),
            ("550", "5.4.5 Daily user sending limit exceeded.", Cause::Account),
            (
                "550",
                "5.7.1 Our system has detected that this message is likely unsolicited mail.",
                Cause::Account,
            ),
            ("552", "5.2.2 The email account that you tried to reach is over quota.", Cause::Account),
            ("552", "5.3.4 Your message exceeded Google's message size limits.", Cause::Account),
            ("553", "5.1.2 We weren't able to find the recipient domain.", Cause::Mailbox),
            (
                "450",
                "4.2.1 The user you are trying to contact is receiving mail too quickly.",
                Cause::Temporary,
            ),
            ("421", "4.7.0 Try again later, closing connection.", Cause::Temporary),
            ("535", "5.7.8 Username and Password not accepted.", Cause::Account),
            // Microsoft 365
            (
                "550",
                "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
                Cause::Mailbox,
            ),
            ("550", "5.1.8 Access denied, bad outbound sender", Cause::Account),
            ("550", "5.7.233 Tenant exceeded its limit of external recipients", Cause::Account),
            ("554", "5.2.2 mailbox full", Cause::Account),
            // Amazon SES
            ("454", "Throttling failure: Daily message quota exceeded.", Cause::Account),
            ("554", "Message rejected: Email address is not verified.", Cause::Account),
            // Postfix
            (
                "550",
                "5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table",
                Cause::Mailbox,
            ),
            ("554", "5.7.1 <ada@example.com>: Relay access denied", Cause::Account),
            ("452", "4.3.1 Insufficient system storage", Cause::Temporary),
            ("450", "4.7.1 <ada@example.com>: Recipient address rejected: Greylisted", Cause::Temporary),
            // Exim
            ("550", "relay not permitted", Cause::Account),
            ("550", "Unrouteable address", Cause::Mailbox),
            ("550", "No such user here", Cause::Mailbox),
            // Zoho
            ("550", "5.4.6 Unusual sending activity detected.", Cause::Account),
            ("553", "Relaying disallowed as <hello@example.com>", Cause::Account),
            ("550", "5.1.1 User unknown", Cause::Mailbox),
            ("552", "5.1.1 <hello@example.com> Mailbox delivery failure policy error", Cause::Account),
            // Yahoo
            ("554", "delivery error: dd This user doesn't have a yahoo.com account", Cause::Account),
            ("421", "4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred", Cause::Temporary),
            // cPanel, whose account is the recipient's
            (
                "550",
                "The mail server could not deliver mail to ada@example.com. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries.",
                Cause::Mailbox,
            ),
            ("550", "Your account is suspended", Cause::Account),
            ("550", "Relay access denied for <ada@example.com>", Cause::Account),
            // What a server may say about our address, our rate or our text
            ("550", "Your IP address is blacklisted", Cause::Account),
            ("550", "Too many recipients", Cause::Account),
            (
                "550",
                "Domain example.com has exceeded the max emails per hour (151/150) allowed. Message discarded.",
                Cause::Account,
            ),
            ("550", "Message content rejected", Cause::Account),
            ("550", "SPF check failed", Cause::Account),
            ("550", "SPF record not found", Cause::Account),
            ("550", "Requested action not taken: mailbox unavailable", Cause::Mailbox),
            ("550", "This user doesn't exist", Cause::Mailbox),
            // Without a word about anything
            ("550", "as you like", Cause::Mail),
            ("451", "try later", Cause::Temporary),
            ("", "connection timed out", Cause::Temporary),
        ] {
            assert_eq!(cause(code, reply, "ada@example.com"), expected, "{code} {reply}");
        }
        let reply = "4.1.2 <Accounts@salon.con>: Recipient address rejected: Domain not found";
        assert_eq!(cause("450", reply, "accounts@salon.con"), Cause::Temporary);
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
