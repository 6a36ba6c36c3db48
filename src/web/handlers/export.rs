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
use crate::app::App;
use crate::error::{Error, Result};
use crate::export::{self, Selection};
use crate::model::Kind;
use crate::session::Session;
use crate::summary::summary;
use crate::web::desk::Desk;

/// `GET /api/export/csv?kind= &from= &to= &status=`.
pub async fn csv(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<Response> {
    session?;
    let selection = selection(&desk.app, &query)?;
    let name = file_name(&desk.app, selection.kind, "csv");
    download(&desk, "text/csv; charset=utf-8", &name, move |app, out| {
        app.store.read(|connection| export::write_csv(connection, &selection, out, &mut |_| {}).map(drop))
    })
    .await
}

/// `GET /api/export/json` → the counts, and the registrations unless `summary=true`.
pub async fn json(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<Response> {
    session?;
    let counts = blocking(&desk.app, summary).await?;
    if query.get("summary").is_some_and(|value| value == "true") {
        return Ok(warp::reply::json(&counts).into_response());
    }
    let selection = selection(&desk.app, &query)?;
    let name = file_name(&desk.app, selection.kind, "json");
    download(&desk, "application/json", &name, move |app, out| {
        app.store.read(|connection| export::write_json(connection, &selection, &counts, out).map(drop))
    })
    .await
}

fn selection(app: &App, query: &HashMap<String, String>) -> Result<Selection> {
    let asked = |name: &str| query.get(name).filter(|value| !value.is_empty());
    let kind = asked("kind").filter(|word| *word != "all").map(|word| word.parse::<Kind>()).transpose();
    let day = |name: &str| asked(name).map(|text| text.parse::<NaiveDate>()).transpose();
    let no_day = |_| Error::Malformed("from and to are days like 2026-03-28.".into());
    Selection::new(
        kind.map_err(|words| Error::Malformed(format!("{words}.")))?,
        day("from").map_err(no_day)?,
        day("to").map_err(no_day)?,
        asked("status").cloned(),
        app.content().event.time_zone.tz(),
    )
}

/// `lash-brow-showcase-waitlist-signups-2026-03-28.csv`, by the event's name and its present day.
fn file_name(app: &App, kind: Option<Kind>, ending: &str) -> String {
    let content = app.content();
    let words: Vec<String> = content
        .event
        .name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let what = kind.map_or("registrations", Kind::as_str);
    format!("{}-{what}-{}.{ending}", words.join("-"), content.today(Utc::now()))
}

/// Answers with what `write` writes, as it is written.
async fn download(
    desk: &Desk,
    content_type: &'static str,
    name: &str,
    write: impl FnOnce(&App, &mut dyn Write) -> Result<()> + Send + 'static,
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
