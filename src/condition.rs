//! Whether the site can take what people send: with a nearly full disk or a damaged database it only
//! shows its pages. Left out on purpose: finding that out, which is `checkup`'s business.

use std::sync::{PoisonError, RwLock};

/// Why nothing is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// What is left beside the database, in megabytes.
    LowDisk { free_megabytes: u64 },
    /// What the check of the database found first.
    Damaged(String),
}

impl Trouble {
    /// A word that tells troubles of one sort from others.
    pub fn sort(&self) -> &'static str {
        match self {
            Trouble::LowDisk { .. } => "low-disk",
            Trouble::Damaged(_) => "damaged",
        }
    }

    /// For whom a write is refused.
    pub fn for_visitors(&self) -> String {
        let reason = match self {
            Trouble::LowDisk { .. } => "the disk of our server is nearly full",
            Trouble::Damaged(_) => "our database needs a repair",
        };
        format!(
            "We cannot take anything in just now, because {reason}. The organiser has been told; please try again later."
        )
    }

    /// For the organiser and the host, with what to do.
    pub fn for_organiser(&self) -> String {
        match self {
            Trouble::LowDisk { free_megabytes } => format!(
                "The disk of the server is nearly full ({free_megabytes} MB are left): the site shows its pages, but \
                 takes no registrations. Make room; the site then takes them again by itself."
            ),
            Trouble::Damaged(finding) => format!(
                "The database is damaged ({finding}): the site shows its pages, but takes no registrations. Stop the \
                 server and restore the last backup: `showcase restore FILE`."
            ),
        }
    }
}

/// The present trouble, seen by all.
#[derive(Debug, Default)]
pub struct Condition(RwLock<Option<Trouble>>);

impl Condition {
    pub fn trouble(&self) -> Option<Trouble> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns what was there before.
    pub fn set(&self, trouble: Option<Trouble>) -> Option<Trouble> {
        std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), trouble)
    }
}
