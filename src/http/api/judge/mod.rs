//! The judges' calls. Without rubrics in the content, all of them answer `404`. The answers use only the types of
//! `judging::work`, which contain nothing about competitors.

pub mod access;
pub mod sheets;

use super::call::Call;
use super::caller::Caller;
use super::session::signed_in_by_link;
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::access::{Judge, judge_with_email};
use crate::portal::access::Audience;

impl Caller for Judge {
    async fn identify(call: &mut Call) -> Result<Judge> {
        require_judging(&call.state.app)?;
        let email = signed_in_by_link(call, Audience::Judges).await?;
        call.run(move |app| judge_with_email(app, &email)).await
    }
}

/// Everybody, while something is judged.
pub struct SomethingIsJudged;

impl Caller for SomethingIsJudged {
    async fn identify(call: &mut Call) -> Result<SomethingIsJudged> {
        require_judging(&call.state.app).map(|()| SomethingIsJudged)
    }
}

pub fn require_judging(app: &App) -> Result<()> {
    if app.content().judging.rubrics.is_empty() {
        return Err(Error::no_such_path());
    }
    Ok(())
}
