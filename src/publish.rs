//! Makes the pages of the present content and puts them before the visitors, all at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::app::App;
use crate::content::Content;
use crate::error::Result;
use crate::memory;
use crate::model::Kind;
use crate::render::{Inputs, Site};

/// What the pages know of the server; all else is in the content.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct SiteFacts {
    public_url: String,
    demo: bool,
    payments: &'static str,
    openings: BTreeMap<&'static str, OpeningFact>,
}

#[derive(Serialize, Debug)]
struct OpeningFact {
    open: bool,
    /// The organiser's reason and date, while closed.
    message: Option<String>,
}

/// Renders every page and swaps them in. What was served before stays when this fails.
///
/// # Errors
/// [`crate::error::Error::Internal`] when a page cannot be rendered.
pub fn publish(app: &App) -> Result<()> {
    let content = app.content();
    let facts = facts(app, &content, Utc::now());
    let inputs = Inputs { content: content.as_ref(), site: &facts };
    app.set_site(Site::render(&inputs, &content.frame_origins())?);
    Ok(())
}

/// Compresses the present pages as small as they get; slow, for the background.
pub fn squeeze(app: &App) {
    let site = app.site();
    let squeezed = site.squeezed();
    // A publication in the meantime wins.
    if Arc::ptr_eq(&site, &app.site()) {
        app.set_site(squeezed);
    }
    drop(site);
    memory::give_back();
}

/// The facts that pages depend on beside the content, to notice when a form opens or closes by itself.
pub fn fingerprint(app: &App, now: DateTime<Utc>) -> String {
    format!("{:?}", facts(app, &app.content(), now))
}

fn facts(app: &App, content: &Content, now: DateTime<Utc>) -> SiteFacts {
    let opening = |kind: Kind| {
        let message = content.opening(kind.as_str(), now).closed_message();
        (kind.as_str(), OpeningFact { open: message.is_none(), message })
    };
    SiteFacts {
        public_url: app.public_url(),
        demo: app.demo,
        // Card payment is not built yet: the entry page says so.
        payments: "off",
        openings: Kind::ALL.into_iter().map(opening).collect(),
    }
}
