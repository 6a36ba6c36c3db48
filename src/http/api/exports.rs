//! Downloads. They are streamed, so their size does not affect memory.

use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use warp::Reply;
use warp::reply::Response;

use super::call::{Call, as_download, ok};
use super::fields::query_flag;
use super::state::ApiState;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::export::{self as judging, JudgingExport};
use crate::model::Kind;
use crate::portal::export as nominations;
use crate::portal::organiser::NominationFilter;
use crate::registrations::export::{self, Format, Selection};
use crate::registrations::summary::summary;
use crate::time;

/// `GET /api/export/json` as [`fn@export`]; `?summary=true` returns only the counts.
pub async fn json(call: Call, session: Session) -> Result<Response> {
    if !query_flag(&call.query, "summary")? {
        return export(call, session, Format::Json).await;
    }
    let selection = selection(&call)?;
    Ok(ok(&call.run(move |app| app.store.read(|connection| summary(connection, &selection.filter))).await?))
}

/// `GET /api/export/csv?kind= &from= &to= &status= &search= &category=`, and `xlsx` with the same query.
pub async fn export(call: Call, session: Session, format: Format) -> Result<Response> {
    if call.query_value("kind").as_deref() == Some(nominations::KIND) {
        return export_nominations(call, session, format).await;
    }
    if let Some(exported) =
        call.query_value("kind").as_deref().and_then(|kind| kind.parse::<JudgingExport>().ok())
    {
        return export_judging(call, session, format, exported).await;
    }
    let selection = selection(&call)?;
    let name = export::file_name(&call.state.app.content(), &selection, format, time::now());
    download(&call.state, format.content_type(), &name, move |app, out| {
        export::write(app, &session.actor(), format, &selection, out, &mut |_| {}).map(drop)
    })
    .await
}

/// Takes the same `status` and `search` as the list of nominations.
async fn export_nominations(call: Call, session: Session, format: Format) -> Result<Response> {
    nominations::require_possible(format, "", |name| call.query_value(name).is_some())?;
    let state =
        call.query_value("status").map(|state| state.parse()).transpose().map_err(Error::Malformed)?;
    let filter = NominationFilter { state, missing: None, search: call.query_value("search") };
    let name = file_name(&call, nominations::KIND, format);
    download(&call.state, format.content_type(), &name, move |app, out| {
        nominations::write(app, &session.actor(), format, &filter, out).map(drop)
    })
    .await
}

async fn export_judging(
    call: Call,
    session: Session,
    format: Format,
    exported: JudgingExport,
) -> Result<Response> {
    judging::require_possible(format, "", |name| call.query_value(name).is_some())?;
    let name = file_name(&call, exported.as_str(), format);
    download(&call.state, format.content_type(), &name, move |app, out| {
        judging::write(app, &session.actor(), format, exported, out).map(drop)
    })
    .await
}

fn file_name(call: &Call, what: &str, format: Format) -> String {
    let content = call.state.app.content();
    let (event, day) = (export::name_of_event(&content), content.today(time::now()));
    format!("{event}-{what}-{day}.{format}")
}

fn selection(call: &Call) -> Result<Selection> {
    let content = call.state.app.content();
    let kind =
        call.query_value("kind").filter(|kind| kind != "all").map(|kind| kind.parse::<Kind>()).transpose();
    let mut selection = Selection::of_days(
        kind.map_err(|message| Error::Malformed(format!("{message}.")))?,
        call.query_date("from")?,
        call.query_date("to")?,
        content.event.time_zone.clone(),
    )?
    .matching(call.query_value("status"), call.query_value("search"))?;
    selection.filter.due_before =
        selection.kind.and_then(|kind| call.state.app.due_before(kind, time::now()));
    if let Some(category) = call.query_value("category") {
        export::require_category(&content, selection.kind, &category)?;
        selection.filter.category = Some(category);
    }
    Ok(selection)
}

/// Streams what `write` writes to the client.
async fn download(
    state: &ApiState,
    content_type: &'static str,
    name: &str,
    write: impl FnOnce(&App, &mut (dyn Write + Send)) -> Result<()> + Send + 'static,
) -> Result<Response> {
    let permit = Arc::clone(&state.exports).acquire_owned().await;
    let (sender, receiver) = channel(4);
    let app = Arc::clone(&state.app);
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(64 * 1024, Channel(sender.clone()));
        let written =
            catch_unwind(AssertUnwindSafe(|| write(&app, &mut out).and_then(|()| Ok(out.flush()?))));
        let written = written.unwrap_or_else(|_| Err(Error::Internal("the export panicked".into())));
        if let Err(error) = written {
            // Makes the download fail visibly; otherwise an incomplete file would look complete.
            tracing::error!("an export ended early: {}", error.for_log());
            let _ = sender.blocking_send(Err(io::Error::other("the export ended early")));
        }
        drop(permit);
    });
    let mut response = warp::reply::stream(ReceiverStream::new(receiver)).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    Ok(as_download(response, name))
}

/// Writes to the response's body, and blocks while the client is reading slowly.
struct Channel(Sender<io::Result<Bytes>>);

impl Write for Channel {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let closed = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(Bytes::copy_from_slice(part))).map_err(closed)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn an_export_that_panics_does_not_look_complete() {
        let (_folder, app) = App::for_test(Config::default());
        let state = ApiState::new(&Arc::new(app));
        let response = download(&state, "text/csv", "x.csv", |_, out| {
            out.write_all(b"id,name\n")?;
            panic!("as the test wishes")
        });
        let body = response.await.expect("a response").into_body();
        assert!(body.collect().await.is_err(), "the body ends with an error");
    }
}
