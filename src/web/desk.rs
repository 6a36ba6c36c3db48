//! What handlers share.

use std::sync::Arc;

use super::limits::Rate;
use crate::app::App;

pub struct Desk {
    pub app: Arc<App>,
    /// How often one client may write.
    pub writes: Rate,
}

impl Desk {
    pub fn new(app: &Arc<App>) -> Desk {
        let limits = &app.config.limits;
        Desk { app: Arc::clone(app), writes: Rate::per_minute(limits.writes_per_minute) }
    }
}
