//! The competitors' calls. While the Artist Portal is closed, all of them answer `404`.

pub mod access;
pub mod nominations;
pub mod relations;
pub mod releases;
pub mod uploads;

use super::call::Call;
use super::caller::Caller;
use super::session::signed_in_by_link;
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access::{Artist, Audience};

impl Caller for Artist {
    async fn identify(call: &mut Call) -> Result<Artist> {
        require_open(&call.state.app)?;
        let email = signed_in_by_link(call, Audience::Competitors).await?;
        Ok(Artist { email })
    }
}

/// Everybody, while the portal is open.
pub struct PortalIsOpen;

impl Caller for PortalIsOpen {
    async fn identify(call: &mut Call) -> Result<PortalIsOpen> {
        require_open(&call.state.app).map(|()| PortalIsOpen)
    }
}

fn require_open(app: &App) -> Result<()> {
    if app.content().portal.open {
        return Ok(());
    }
    Err(Error::no_such_path())
}
