//! Whether the site can take what people send: with a nearly full or failing disk or a damaged database it
//! only shows its pages. Left out on purpose: finding that out, which is `checkup`'s business.

use std::sync::{Mutex, PoisonError, RwLock};

/// Why nothing is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// What is left beside the database, in megabytes.
    LowDisk { free_megabytes: u64 },
    /// What the system says when something is written beside the database.
    Unwritable(String),
    /// What the check of the database found first.
    Damaged(String),
    /// Another file, or none, has the name of the database that this server has open.
    Moved(String),
}

impl Trouble {
    /// A word that tells troubles of one sort from others.
    pub fn sort(&self) -> &'static str {
        match self {
            Trouble::LowDisk { .. } => "low-disk",
            Trouble::Unwritable(_) => "unwritable",
            Trouble::Damaged(_) => "damaged",
            Trouble::Moved(_) => "moved",
        }
    }

    /// For whom a write is refused.
    pub fn for_visitors(&self) -> String {
        let reason = match self {
            Trouble::LowDisk { .. } => "the disk of our server is nearly full",
            Trouble::Unwritable(_) => "the disk of our server fails",
            Trouble::Damaged(_) | Trouble::Moved(_) => "our database needs a repair",
        };
        format!(
            "We can't accept forms right now because {reason}. The organizer is being told; please try again later."
        )
    }

    /// For the organiser and the host, with what to do.
    pub fn for_organiser(&self) -> String {
        match self {
            Trouble::LowDisk { free_megabytes } => format!(
                "The disk of the server is nearly full ({free_megabytes} MB are left): the site shows its pages, but \
                 takes no registrations. Make room; the site then takes them again by itself."
            ),
            Trouble::Unwritable(words) => format!(
                "Nothing can be written beside the database any more ({words}): the site shows its pages, but takes no \
                 registrations. Check whether the disk is failing (`dmesg`) or is mounted to be read alone (`mount`); once \
                 it takes files, the site takes registrations again by itself."
            ),
            Trouble::Damaged(finding) => format!(
                "The database is damaged ({finding}): the site shows its pages, but takes no registrations. Stop the \
                 server and restore the last backup: `showcase restore FILE`."
            ),
            Trouble::Moved(path) => format!(
                "{path} is no longer the database that the server has open: it was moved, replaced or removed. The \
                 site shows its pages, but takes no registrations. Put the file back, or stop the server, put the \
                 right file there (`showcase restore FILE`), and start it again."
            ),
        }
    }
}

/// The present trouble, seen by all.
#[derive(Debug, Default)]
pub struct Condition {
    trouble: RwLock<Option<Trouble>>,
    /// What the organiser could not be told yet.
    untold: Mutex<Option<Trouble>>,
}

impl Condition {
    pub fn trouble(&self) -> Option<Trouble> {
        self.trouble.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the organiser is to be told, until `told`.
    pub fn untold(&self) -> Option<Trouble> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_untold(&self, trouble: Option<Trouble>) {
        *self.untold.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    /// Returns what was there before.
    pub fn set(&self, trouble: Option<Trouble>) -> Option<Trouble> {
        std::mem::replace(&mut *self.trouble.write().unwrap_or_else(PoisonError::into_inner), trouble)
    }
}
