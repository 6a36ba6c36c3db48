//! Lists for the days of the event.

use http::header::HeaderValue;
use warp::reply::Response;

use super::call::{self, Call, as_download};
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::registrations::export::Format;
use crate::registrations::lists::{self, Choice};
use crate::time;

/// The page contains its styles and no scripts. The organiser's pages show it in a frame and print it from there.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/// `GET /api/lists/<name>/csv?day=`, `/xlsx?day=`, and `/html?day=`, which is a page for printing.
pub async fn show(call: Call, session: Session) -> Result<Response> {
    let format = match call.other().as_str() {
        "csv" => Some(Format::Csv),
        "xlsx" => Some(Format::Xlsx),
        "html" => None,
        _ => return Err(Error::no_such_path()),
    };
    let choice = choice(&call)?;
    call.run(move |app| {
        let list = lists::list(app, &session.actor(), choice, time::now())?;
        let Some(format) = format else {
            return Ok(call::html(lists::to_html(&list)?, HeaderValue::from_static(PAGE_POLICY)));
        };
        let mut bytes = Vec::new();
        match format {
            Format::Xlsx => bytes = lists::to_xlsx(&list)?,
            _ => lists::write_csv(&list, &mut bytes)?,
        }
        let name = lists::file_name(&app.content(), choice, format.as_str());
        Ok(as_download(call::of_type(bytes, format.content_type()), &name))
    })
    .await
}

fn choice(call: &Call) -> Result<Choice> {
    let name = call.name().parse().map_err(|message| Error::NotFound(format!("{message}.")))?;
    let day = call.query_value("day").map(|day| day.parse::<usize>()).transpose();
    let day = day.map_err(|_| Error::Malformed("day is the number of a day of the event.".into()))?;
    Ok(Choice { name, day })
}
