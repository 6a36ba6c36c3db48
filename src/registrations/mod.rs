//! Registrations of all kinds: submitted, screened, reviewed, corrected, searched, counted and exported.
//! What an entry pays is in `payments`.

pub mod correct;
pub mod correct_answers;
pub mod daily_counts;
pub mod export;
pub mod invitations;
pub mod lists;
pub mod review;
pub mod screening;
pub mod search;
pub mod submit;
pub mod summary;
pub mod ticket_transfers;
pub mod transitions;
pub mod version;
