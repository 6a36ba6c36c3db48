//! The error type. Each variant's comment gives its HTTP status, to which `http::problem` maps it. Commands exit with 1, and
//! with 2 for [`Error::Malformed`].
//!
//! There are no error chains for people: they get one sentence that says what to do, and the cause is logged.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Messages by field name, for every field that broke a rule.
pub type FieldErrors = BTreeMap<String, String>;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request is malformed.
    #[error("{0}")]
    Malformed(String),
    /// 401: no session, or a wrong password.
    #[error("{0}")]
    Unauthorised(String),
    /// 403: not allowed; the message says why.
    #[error("{0}")]
    Forbidden(String),
    /// 403: signed in too long ago for this; the password is asked for again.
    #[error("Please enter your password to continue. Nothing has been changed yet.")]
    PasswordRequired,
    /// 403: a judge has not accepted the terms in force.
    #[error("Please accept the terms for judges first.")]
    TermsRequired,
    /// 404: no such thing.
    #[error("{0}")]
    NotFound(String),
    /// 405, with the methods that the path accepts.
    #[error("This address accepts only {0}.")]
    MethodNotAllowed(String),
    /// 408: the body did not arrive in time.
    #[error("The request took too long to arrive. Please try again.")]
    Timeout,
    /// 409: it conflicts with what is stored.
    #[error("{0}")]
    Conflict(String),
    /// 409: a payment for a complimentary entry.
    #[error("This entry is complete. It needs no payment.")]
    Complimentary,
    /// 409: the nomination of this sheet is not being judged now. It may be judged again, so the page keeps unsent points.
    #[error("This nomination is not being judged at the moment. Please try again later.")]
    NotBeingJudged,
    /// 409: an upload continues at this byte, and not where the request says.
    #[error("This upload continues at byte {0}.")]
    WrongOffset(u64),
    /// 410: it was there and is not any more; the message says why.
    #[error("{0}")]
    Gone(String),
    /// 412: the record is not the one that `If-Match` names; somebody has changed it since.
    #[error(
        "Somebody changed this in the meantime. Nothing was saved. Compare the two versions, then save again."
    )]
    Changed,
    /// 413: the body is larger than the limit, in bytes.
    #[error("This is larger than the limit of {0} bytes.")]
    TooLarge(usize),
    /// 413: the batch has more scans than this.
    #[error("Please send at most {0} scans at a time.")]
    BatchTooLarge(usize),
    /// 431: the headers are larger than any browser sends.
    #[error("The headers of this request are too large.")]
    HeadersTooLarge,
    /// 415: a body that is not JSON.
    #[error("Please send JSON, with the header Content-Type: application/json.")]
    UnsupportedMediaType,
    /// 415: a file or a body of another type; the message says which types are accepted.
    #[error("{0}")]
    Unsupported(String),
    /// 423: it cannot be changed any more; the message says why.
    #[error("{0}")]
    Closed(String),
    /// 422: some fields are invalid; every one is named.
    #[error("{}", invalid_sentence(.0))]
    Invalid(FieldErrors),
    /// 429: too many requests; try again after this many seconds.
    #[error("Too many requests from your address. Please try again in {}.", wait(*.0))]
    TooMany(u64),
    /// 429: too many payments from one network are unpaid.
    #[error(
        "Too many payments were started from your network today and not completed, so we did not start another. \
         Nothing was charged. Please try another connection, such as mobile data, or write to us."
    )]
    TooManyUnpaid,
    /// 429: too many payments that are not ours were looked up at the provider; try again after this many seconds.
    #[error(
        "Too many payments that we don't know were looked up in the last minute, so we did not look for this one. If you \
         have paid, your payment is safe. Please try again in {}.",
        wait(*.0)
    )]
    TooManyUnknown(u64),
    /// 429: too many payments in total are unpaid.
    #[error(
        "Card payment is very busy today, and we could not start yours. Nothing was charged. Please try again in an \
         hour, or write to us."
    )]
    PaymentsBusy,
    /// 503: the bodies of other requests use all the memory reserved for bodies.
    #[error("The server is receiving too much data right now. Please try again in a moment.")]
    Crowded,
    /// 502: the mail server rejected an email, with its message.
    #[error("The mail server rejected the email: {0}")]
    MailRefused(String),
    /// 503: cards cannot be charged here.
    #[error("Online payment is not open yet. Join the waitlist and we will write to you when it is.")]
    PaymentsOff,
    /// 502: the payment provider refused, or its response was incomplete; the cause is for the log.
    #[error(
        "The payment provider did not respond properly. We kept what you sent. Please try again in a moment."
    )]
    ProviderFailed(String),
    /// 504: the payment provider took too long.
    #[error(
        "The payment provider is taking too long to respond. We kept what you sent. Please try again in a moment."
    )]
    ProviderSlow,
    /// 502: as [`Error::ProviderFailed`], where nothing of the request is stored.
    #[error(
        "The payment provider did not respond properly. Your answers are not stored yet. Keep this page open and try \
         again in a moment."
    )]
    ProviderFailedUnstored(String),
    /// 504: as [`Error::ProviderSlow`], where nothing of the request is stored.
    #[error(
        "The payment provider is taking too long to respond. Your answers are not stored yet. Keep this page open and \
         try again in a moment."
    )]
    ProviderSlowUnstored,
    /// 503: the disk is full or the database is busy; nothing was stored.
    #[error("We could not store this just now. Nothing was lost on your side: please try again in a moment.")]
    Unavailable(String),
    /// 503: the database file is damaged; nothing was stored.
    #[error("We could not store this just now. Nothing was lost on your side: please try again later.")]
    Damaged(String),
    /// 503: the site is read-only for now, or what it needs is not set up; the message says what.
    #[error("{0}")]
    ReadOnly(String),
    /// Exit 1: a command failed; the message says what to do.
    #[error("{0}")]
    Failed(String),
    /// Exit 1: a file or a stream could not be read or written. `context` may be empty.
    #[error("{}", io_sentence(context, source))]
    Io { context: String, source: std::io::Error },
    /// Exit 1: another server has this database.
    #[error("Another showcase is serving {}. Stop it first, or give this one another --database.", .0.display())]
    Locked(PathBuf),
    /// 500: a bug; the detail is only logged.
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
            | Error::ProviderFailed(cause)
            | Error::ProviderFailedUnstored(cause) => Some(cause),
            _ => None,
        }
    }

    /// The cause, or the message if there is none; for the log and the command line.
    pub fn for_log(&self) -> String {
        self.cause().map_or_else(|| self.to_string(), str::to_owned)
    }

    /// The same error for a request of which nothing is stored.
    pub fn unstored(self) -> Error {
        match self {
            Error::ProviderFailed(cause) => Error::ProviderFailedUnstored(cause),
            Error::ProviderSlow => Error::ProviderSlowUnstored,
            other => other,
        }
    }

    /// An [`Error::Io`] with its context, such as 'Could not write to standard output'.
    pub fn io(context: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        |source| Error::Io { context: context.into(), source }
    }

    /// An [`Error::Malformed`] for a body that is not a JSON object.
    pub fn not_an_object() -> Error {
        Error::Malformed("Please send one JSON object.".into())
    }

    /// An [`Error::NotFound`] for a path that does not exist, or is not served now.
    pub fn no_such_path() -> Error {
        Error::NotFound("There is nothing at this address.".into())
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

/// Formats a wait in seconds up to two minutes, then in minutes, then in hours, rounded up.
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
