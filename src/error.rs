//! The one error of the house. Every variant is a situation with its own answer: an HTTP status
//! (`web::problem` maps them) or an exit code with one sentence on the command line.
//!
//! Left out on purpose: error chains for people. A person gets one sentence that says what to do;
//! the cause goes to the log.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Messages by field name, for every field that broke a rule.
pub type FieldErrors = BTreeMap<String, String>;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request cannot be read as what it claims to be.
    #[error("{0}")]
    Malformed(String),
    /// 401: no session, or a wrong password.
    #[error("{0}")]
    Unauthorised(String),
    /// 403: understood, and not allowed; the sentence says why.
    #[error("{0}")]
    Forbidden(String),
    /// 403: signed in too long ago for this; the password is asked for again.
    #[error("Please enter your password to continue. Nothing has been changed yet.")]
    PasswordRequired,
    /// 404: no such thing.
    #[error("{0}")]
    NotFound(String),
    /// 405, with the methods that the path does take.
    #[error("This address takes {0}.")]
    MethodNotAllowed(String),
    /// 408: the body did not arrive in time.
    #[error("The request took too long to arrive. Please try again.")]
    Timeout,
    /// 409: it contradicts what is stored.
    #[error("{0}")]
    Conflict(String),
    /// 413: the body is larger than the limit, in bytes.
    #[error("This is larger than the {0} bytes that can be sent at once.")]
    TooLarge(usize),
    /// 431: the headers are larger than any that a browser of ours sends.
    #[error("The headers of this request are too large.")]
    HeadersTooLarge,
    /// 415: a body that is not JSON.
    #[error("Please send JSON, with the header Content-Type: application/json.")]
    UnsupportedMediaType,
    /// 422: fields broke rules; every one is named.
    #[error("{}", invalid_sentence(.0))]
    Invalid(FieldErrors),
    /// 429: too many requests; try again after this many seconds.
    #[error("Too many requests from your address. Please try again in {}.", wait(*.0))]
    TooMany(u64),
    /// 429: too many payments were begun from one network and not paid.
    #[error(
        "Too many payments were begun from your network today and not finished, so we did not start another. Nothing \
         was charged. Please try from another connection, such as your phone's own, or write to us."
    )]
    TooManyUnpaid,
    /// 429: too many payments that are not ours were looked up at the provider; try again after this many seconds.
    #[error(
        "Too many payments that we don't know were looked up in the last minute, so we did not look for this one. If you \
         have paid, your payment is safe. Please try again in {}.",
        wait(*.0)
    )]
    TooManyUnknown(u64),
    /// 429: too many payments were begun in all and not paid.
    #[error(
        "Card payment is very busy today, and we could not start yours. Nothing was charged. Please try again in an \
         hour, or write to us."
    )]
    PaymentsBusy,
    /// 503: the bodies of other requests take all the memory that is set aside for them.
    #[error("Too much is being sent to us at once. Please try again in a moment.")]
    Crowded,
    /// 502: the mail server did not take a mail; its own words.
    #[error("The mail server did not take it: {0}")]
    MailRefused(String),
    /// 503: cards cannot be charged here.
    #[error("Online payment is not open yet. Join the waitlist and we will write to you when it is.")]
    PaymentsOff,
    /// 502: the payment provider refused or did not answer to the end; the cause is for the log.
    #[error(
        "The payment provider did not answer as it should. What you sent us is kept: please try again in a moment."
    )]
    ProviderFailed(String),
    /// 504: the payment provider took too long.
    #[error(
        "The payment provider takes too long to answer. What you sent us is kept: please try again in a moment."
    )]
    ProviderSlow,
    /// 503: the disk is full or the database is busy; nothing was stored.
    #[error("We could not store this just now. Nothing was lost on your side: please try again in a moment.")]
    Unavailable(String),
    /// 503: the database file is not what it should be; nothing was stored.
    #[error("We could not store this just now. Nothing was lost on your side: please try again later.")]
    Damaged(String),
    /// 503: the site only shows its pages for now; the sentence says why.
    #[error("{0}")]
    ReadOnly(String),
    /// Exit 1: a command cannot do its work; the sentence says what to do.
    #[error("{0}")]
    Failed(String),
    /// Exit 1: a file or a stream could not be read or written. `context` may be empty.
    #[error("{}", io_sentence(context, source))]
    Io { context: String, source: std::io::Error },
    /// Exit 1: another server has this database.
    #[error("Another showcase is serving {}. Stop it first, or give this one another --database.", .0.display())]
    Locked(PathBuf),
    /// 500: our own mistake; the detail is for the log only.
    #[error("Something went wrong on our side. Please try again.")]
    Internal(String),
}

impl Error {
    /// The cause, for the log and the command line; never for a visitor.
    pub fn cause(&self) -> Option<&str> {
        match self {
            Error::Unavailable(cause)
            | Error::Damaged(cause)
            | Error::Internal(cause)
            | Error::ProviderFailed(cause) => Some(cause),
            _ => None,
        }
    }

    /// The cause where there is one, else the sentence: for the log and the command line.
    pub fn for_log(&self) -> String {
        self.cause().map_or_else(|| self.to_string(), str::to_owned)
    }

    /// An [`Error::Io`] that says what could not be done: 'Standard output cannot be written'.
    pub fn io(context: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        |source| Error::Io { context: context.into(), source }
    }

    /// An [`Error::Malformed`] for a field whose value has another JSON type.
    pub fn wrong_type(name: &str) -> Error {
        Error::Malformed(format!("The field '{name}' has a value of the wrong JSON type."))
    }

    /// An [`Error::Invalid`] with one field.
    pub fn field(name: &str, message: &str) -> Error {
        Error::Invalid(FieldErrors::from([(name.to_owned(), message.to_owned())]))
    }
}

fn io_sentence(context: &str, source: &std::io::Error) -> String {
    if context.is_empty() { source.to_string() } else { format!("{context}: {source}.") }
}

fn invalid_sentence(errors: &FieldErrors) -> String {
    match errors.len() {
        1 => errors.values().next().cloned().unwrap_or_default(),
        count => format!("{count} fields need another look."),
    }
}

/// A wait as people say it: seconds up to two minutes, then minutes, then hours, rounded up.
fn wait(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..=120 => (seconds, "second"),
        121..=7200 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3600), "hour"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, OutOfMemory,
            ReadOnly, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(
                DatabaseBusy | DatabaseLocked | DiskFull | SystemIoFailure | ReadOnly | CannotOpen
                | OutOfMemory,
            ) => Error::Unavailable(error.to_string()),
            Some(DatabaseCorrupt | NotADatabase) => Error::Damaged(format!("database: {error}")),
            _ => Error::Internal(format!("database: {error}")),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(source: std::io::Error) -> Self {
        Error::Io { context: String::new(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};

    use super::*;

    #[test]
    fn an_error_of_the_system_keeps_its_kind_and_says_what_could_not_be_done() {
        let error = Error::io("Standard output cannot be written")(ErrorKind::BrokenPipe.into());
        assert_eq!(error.to_string(), "Standard output cannot be written: broken pipe.");
        assert!(matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe));
        assert_eq!(Error::from(io::Error::other("the disk is gone")).for_log(), "the disk is gone");
    }
}
