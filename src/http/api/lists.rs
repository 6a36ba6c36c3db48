//! Lists for the days of the event.

use http::header::{CONTENT_DISPOSITION, HeaderValue};
use warp::reply::Response;

use super::call::{self, Call};
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::registrations::export::Format;
use crate::registrations::lists::{self, Choice, List};
use crate::time;

/// The page contains its styles and no scripts. The organiser's pages show it in a frame and print it from there.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/// `GET /api/lists/<name>/csv?day=`.
pub async fn csv(call: Call, session: Session) -> Result<Response> {
    let choice = choice(&call)?;
    let write = |list: &List| {
        let mut bytes = Vec::new();
        lists::write_csv(list, &mut bytes).map(|()| bytes)
    };
    let bytes = written(&call, session, choice, write).await?;
    Ok(download(&call, choice, bytes, Format::Csv))
}

/// `GET /api/lists/<name>/xlsx?day=`.
pub async fn xlsx(call: Call, session: Session) -> Result<Response> {
    let choice = choice(&call)?;
    let bytes = written(&call, session, choice, lists::to_xlsx).await?;
    Ok(download(&call, choice, bytes, Format::Xlsx))
}

fn download(call: &Call, choice: Choice, bytes: Vec<u8>, format: Format) -> Response {
    let name = lists::file_name(&call.state.app.content(), choice, format.as_str());
    let mut response = call::typed(bytes, format.content_type());
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// `GET /api/lists/<name>/html?day=`: a page for printing.
pub async fn html(call: Call, session: Session) -> Result<Response> {
    let choice = choice(&call)?;
    let page = written(&call, session, choice, lists::to_html).await?;
    Ok(call::html(page, HeaderValue::from_static(PAGE_POLICY)))
}

async fn written<T: Send + 'static>(
    call: &Call,
    session: Session,
    choice: Choice,
    write: fn(&List) -> Result<T>,
) -> Result<T> {
    call.run(move |app| write(&lists::list(app, &session.actor(), choice, time::now())?)).await
}

fn choice(call: &Call) -> Result<Choice> {
    let name = call.name().parse().map_err(|message| Error::NotFound(format!("{message}.")))?;
    let day = call.query_value("day").map(|day| day.parse::<usize>()).transpose();
    let day = day.map_err(|_| Error::Malformed("day is the number of a day of the event.".into()))?;
    Ok(Choice { name, day })
}
