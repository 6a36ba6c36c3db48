//! What handlers share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::limits::Rate;
use super::sign_ins::SignIns;
use crate::app::App;

pub struct Desk {
    pub app: Arc<App>,
    /// How often one client may write.
    pub writes: Rate,
    /// How much one network may send before its submissions are set aside for a person to look at.
    pub networks: Rate,
    /// How often a password may be tried, and whose is checked first.
    pub sign_ins: SignIns,
    /// Exports hold a reading connection for as long as the client takes.
    pub exports: Arc<Semaphore>,
    /// Requests that ask the payment provider, which may hang: they never hold every thread.
    pub payments: Arc<Semaphore>,
}

/// Requests at once that ask the payment provider.
const PAYMENTS: usize = 128;

/// A network is judged at this multiple of a client's rate.
const CLIENTS_IN_A_NETWORK: u32 = 3;

impl Desk {
    pub fn new(app: &Arc<App>) -> Desk {
        let limits = &app.config.limits;
        Desk {
            app: Arc::clone(app),
            writes: Rate::per_minute(limits.writes_per_minute),
            networks: Rate::per_minute(limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK)),
            sign_ins: SignIns::new(limits.sign_ins_per_minute),
            exports: Arc::new(Semaphore::new(2)),
            payments: Arc::new(Semaphore::new(PAYMENTS)),
        }
    }
}
