//! Paths of the organiser's desk, beside the lists, exports and payments.

use std::sync::Arc;

use warp::{Filter, Reply};

use super::{Route, any_of, query, signed_in_with_json, with};
use crate::error::Error;
use crate::http::api::handlers::{accounts, desk as rooms, lists};
use crate::http::api::session::signed_in;
use crate::http::api::state::Desk;
use crate::model::Kind;

/// Everything below `/api` that belongs to the desk's own rooms.
pub fn paths(desk: &Arc<Desk>) -> Route {
    any_of([outbox_paths(desk), reading_paths(desk), opening_paths(desk), people_paths(desk)])
}

/// `/api/outbox…`.
fn outbox_paths(desk: &Arc<Desk>) -> Route {
    let outbox = warp::path("outbox");
    let all = outbox.and(warp::path::end());
    let retry_all = outbox.and(warp::path("retry")).and(warp::path::end());
    let one = outbox.and(warp::path::param::<i64>());
    let mail = one.and(warp::path::end());
    let html = one.and(warp::path("html")).and(warp::path::end());
    let retry = one.and(warp::path("retry")).and(warp::path::end());
    let discard = one.and(warp::path("discard")).and(warp::path::end());
    let correct = one.and(warp::path("correct")).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let corrected = correct
        .and(warp::post())
        .and(with(desk))
        .and(signed_in_with_json(desk))
        .then(rooms::correct_mail)
        .map(Reply::into_response)
        .boxed();
    let list =
        all.and(warp::get()).and(asked()).and(query()).then(rooms::mails).map(Reply::into_response).boxed();
    let show = mail.and(warp::get()).and(asked()).then(rooms::mail).map(Reply::into_response).boxed();
    let show_html =
        html.and(warp::get()).and(asked()).then(rooms::mail_html).map(Reply::into_response).boxed();
    let retry_one =
        retry.map(Some).or(retry_all.map(|| None)).unify().and(warp::post()).and(asked()).then(rooms::retry);
    let discard_one =
        discard.and(warp::post()).and(asked()).then(rooms::discard).map(Reply::into_response).boxed();
    let read = all.or(mail.or(html).unify().map(|_| ()).untuple_one()).unify();
    let write = retry_all.or(retry.or(discard).unify().or(correct).unify().map(|_| ()).untuple_one()).unify();
    let no_write = read.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let no_read = write.map(|| Error::MethodNotAllowed("POST").into_response()).boxed();
    let retry_one = retry_one.map(Reply::into_response).boxed();
    any_of([list, show, show_html, retry_one, discard_one, corrected, no_write, no_read])
}

/// `/api/search`, `/api/audit`, `/api/tallies`, `/api/attention`, `/api/storage`, `/api/backups`.
fn reading_paths(desk: &Arc<Desk>) -> Route {
    let search = warp::path("search").and(warp::path::end());
    let audit = warp::path("audit").and(warp::path::end());
    let tallies = warp::path("tallies").and(warp::path::end());
    let attention = warp::path("attention").and(warp::path::end());
    let storage = warp::path("storage").and(warp::path::end());
    let backups = warp::path("backups").and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let find = search
        .and(warp::get())
        .and(asked())
        .and(query())
        .then(lists::search)
        .map(Reply::into_response)
        .boxed();
    let log =
        audit.and(warp::get()).and(asked()).and(query()).then(rooms::audit).map(Reply::into_response).boxed();
    let tally = tallies
        .and(warp::get())
        .and(asked())
        .and(query())
        .then(rooms::tallies)
        .map(Reply::into_response)
        .boxed();
    let matters =
        attention.and(warp::get()).and(asked()).then(rooms::attention).map(Reply::into_response).boxed();
    let size = storage.and(warp::get()).and(asked()).then(rooms::storage).map(Reply::into_response).boxed();
    let list = backups.and(warp::get()).and(asked()).then(rooms::backups).map(Reply::into_response).boxed();
    let make = backups.and(warp::post()).and(asked()).then(rooms::back_up).map(Reply::into_response).boxed();
    let read = search.or(audit).unify().or(tallies).unify().or(attention).unify().or(storage).unify();
    let no_write = read.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let other = backups.map(|| Error::MethodNotAllowed("GET, HEAD, POST").into_response()).boxed();
    any_of([find, log, tally, matters, size, list, make, no_write, other])
}

/// `/api/openings…`.
fn opening_paths(desk: &Arc<Desk>) -> Route {
    let all = warp::path("openings").and(warp::path::end());
    let one = warp::path("openings").and(warp::path::param::<Kind>()).and(warp::path::end());
    let list = all
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .then(rooms::openings)
        .map(Reply::into_response)
        .boxed();
    let set = one
        .and(warp::post())
        .and(with(desk))
        .and(signed_in_with_json(desk))
        .then(rooms::set_opening)
        .map(Reply::into_response)
        .boxed();
    let no_write = all.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let no_read = one.map(|_| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([list, set, no_write, no_read])
}

/// `/api/admin/sessions…` and `/api/admin/accounts…`.
fn people_paths(desk: &Arc<Desk>) -> Route {
    let admin = warp::path("admin");
    let sessions = admin.and(warp::path("sessions")).and(warp::path::end());
    let session = admin.and(warp::path("sessions")).and(warp::path::param::<String>()).and(warp::path::end());
    let accounts = admin.and(warp::path("accounts")).and(warp::path::end());
    let account = admin.and(warp::path("accounts")).and(warp::path::param::<String>()).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let told = || with(desk).and(signed_in_with_json(desk));
    let list_sessions =
        sessions.and(warp::get()).and(asked()).then(accounts::sessions).map(Reply::into_response).boxed();
    let end = session
        .and(warp::delete())
        .and(asked())
        .then(accounts::end_session)
        .map(Reply::into_response)
        .boxed();
    let list = accounts.and(warp::get()).and(asked()).then(accounts::list).map(Reply::into_response).boxed();
    let add = accounts.and(warp::post()).and(told()).then(accounts::add).map(Reply::into_response).boxed();
    let change =
        account.and(warp::patch()).and(told()).then(accounts::change).map(Reply::into_response).boxed();
    let remove =
        account.and(warp::delete()).and(asked()).then(accounts::remove).map(Reply::into_response).boxed();
    let other = any_of([
        sessions.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed(),
        session.map(|_| Error::MethodNotAllowed("DELETE").into_response()).boxed(),
        accounts.map(|| Error::MethodNotAllowed("GET, HEAD, POST").into_response()).boxed(),
        account.map(|_| Error::MethodNotAllowed("DELETE, PATCH").into_response()).boxed(),
    ]);
    any_of([list_sessions, list, end, add, change, remove, other])
}
