//! Whether the site accepts submissions. With a nearly full or failing disk or a damaged database it only shows its
//! pages. Left out on purpose: detecting that, which `probe` does.

use std::sync::{Mutex, PoisonError, RwLock};

/// Why the site is read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The free space beside the database is below `limits.free_megabytes`.
    LowDisk { free_megabytes: u64 },
    /// A file beside the database could not be written; the system's error.
    Unwritable(String),
    /// The check of the database failed; its first finding.
    Damaged(String),
}

impl Trouble {
    /// The name of the variant, for comparing troubles without their details.
    pub fn kind(&self) -> &'static str {
        match self {
            Trouble::LowDisk { .. } => "low-disk",
            Trouble::Unwritable(_) => "unwritable",
            Trouble::Damaged(_) => "damaged",
        }
    }

    /// The message for a visitor whose submission is refused.
    pub fn for_visitors(&self) -> String {
        let reason = match self {
            Trouble::LowDisk { .. } => "the disk of our server is nearly full",
            Trouble::Unwritable(_) => "the disk of our server is failing",
            Trouble::Damaged(_) => "our database needs repair",
        };
        format!("We can't accept forms right now because {reason}. Please try again later.")
    }

    /// The message for the organiser and the host; says what to do.
    pub fn for_organiser(&self) -> String {
        match self {
            Trouble::LowDisk { free_megabytes } => format!(
                "The disk of the server is nearly full ({free_megabytes} MB are left). The site shows its pages but \
                 accepts no registrations. Free some space, and it will accept them again by itself."
            ),
            Trouble::Unwritable(error) => format!(
                "The folder of the database is no longer writable ({error}). The site shows its pages but accepts no \
                 registrations. Check whether the disk is failing (`dmesg`) or mounted read-only (`mount`). Once the \
                 folder is writable, the site will accept registrations again by itself."
            ),
            Trouble::Damaged(finding) => format!(
                "The database is damaged ({finding}). The site shows its pages but accepts no registrations. Stop the \
                 server and restore the last backup: `showcase restore FILE`."
            ),
        }
    }
}

/// The current trouble, shared by all threads.
#[derive(Debug, Default)]
pub struct Health {
    trouble: RwLock<Option<Trouble>>,
    /// The trouble for which no email to the organiser is queued yet.
    unreported: Mutex<Option<Trouble>>,
}

impl Health {
    pub fn trouble(&self) -> Option<Trouble> {
        self.trouble.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn unreported(&self) -> Option<Trouble> {
        self.unreported.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_unreported(&self, trouble: Option<Trouble>) {
        *self.unreported.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    /// Sets the trouble and returns the previous one.
    pub fn replace_trouble(&self, trouble: Option<Trouble>) -> Option<Trouble> {
        std::mem::replace(&mut *self.trouble.write().unwrap_or_else(PoisonError::into_inner), trouble)
    }
}
