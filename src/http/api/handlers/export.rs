//! Downloads, written while they are read, so that memory does not grow with the registrations.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{NaiveDate, Utc};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::api::fields::asks_for;
use crate::http::api::state::Desk;
use crate::model::Kind;
use crate::registrations::export::{self, Format, Selection};
use crate::registrations::summary::summary;

/// `GET /api/export/csv`, `/json` and `/xlsx`, with `?kind= &from= &to= &status= &search= &category=`; as JSON with
/// `?summary=true` the counts alone.
pub async fn export(
    format: Format,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<Response> {
    let session = session?;
    let selection = selection(&desk.app, &query)?;
    if format == Format::Json && asks_for(&query, "summary")? {
        let counts = blocking(&desk.app, move |app| summary(app, &selection.filter)).await?;
        return Ok(warp::reply::json(&counts).into_response());
    }
    let name = export::file_name(&desk.app.content(), &selection, format, Utc::now());
    download(&desk, format.content_type(), &name, move |app, out| {
        export::write(app, &session.username, format, &selection, out, &mut |_| {}).map(drop)
    })
    .await
}

fn selection(app: &App, query: &HashMap<String, String>) -> Result<Selection> {
    let asked = |name: &str| query.get(name).filter(|value| !value.is_empty());
    let kind = asked("kind").filter(|word| *word != "all").map(|word| word.parse::<Kind>()).transpose();
    let day = |name: &str| asked(name).map(|text| text.parse::<NaiveDate>()).transpose();
    let no_day = |_| Error::Malformed("from and to are days like 2026-03-28.".into());
    let mut selection = Selection::new(
        kind.map_err(|words| Error::Malformed(format!("{words}.")))?,
        day("from").map_err(no_day)?,
        day("to").map_err(no_day)?,
        asked("status").cloned(),
        asked("search").cloned(),
        app.content().event.time_zone.clone(),
    )?;
    if let Some(category) = asked("category") {
        export::require_category(&app.content(), selection.kind, category)?;
        selection.filter.category = Some(category.clone());
    }
    Ok(selection)
}

/// Answers with what `write` writes, as it is written.
async fn download(
    desk: &Desk,
    content_type: &'static str,
    name: &str,
    write: impl FnOnce(&App, &mut (dyn Write + Send)) -> Result<()> + Send + 'static,
) -> Result<Response> {
    let turn = Arc::clone(&desk.exports).acquire_owned().await;
    let (sender, receiver) = channel(4);
    let app = Arc::clone(&desk.app);
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(64 * 1024, Channel(sender.clone()));
        let written = write(&app, &mut out).and_then(|()| Ok(out.flush()?));
        if let Err(error) = written {
            // The client sees a broken download, never a short one that looks whole.
            tracing::error!("an export ended early: {}", error.cause().unwrap_or(&error.to_string()));
            let _ = sender.blocking_send(Err(io::Error::other("the export ended early")));
        }
        drop(turn);
    });
    let mut response = warp::reply::stream(ReceiverStream::new(receiver)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Writes into the response's body; waits while the client is behind.
struct Channel(Sender<io::Result<Bytes>>);

impl Write for Channel {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(Bytes::copy_from_slice(part))).map_err(gone)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
