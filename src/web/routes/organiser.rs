//! Paths of the organiser's desk, beside the lists, exports and payments.

use std::sync::Arc;

use warp::reply::Response;
use warp::{Filter, Rejection, Reply};

use super::{body_limits, query, with};
use crate::error::Error;
use crate::web::body;
use crate::web::desk::Desk;
use crate::web::handlers::{accounts, desk as rooms};
use crate::web::session::signed_in;

/// Everything below `/api` that belongs to the desk's own rooms.
pub fn paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    outbox_paths(desk).or(reading_paths(desk)).unify().or(people_paths(desk)).unify()
}

/// `/api/outbox…`.
fn outbox_paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let outbox = warp::path("outbox");
    let all = outbox.and(warp::path::end());
    let retry_all = outbox.and(warp::path("retry")).and(warp::path::end());
    let one = outbox.and(warp::path::param::<i64>());
    let mail = one.and(warp::path::end());
    let html = one.and(warp::path("html")).and(warp::path::end());
    let retry = one.and(warp::path("retry")).and(warp::path::end());
    let discard = one.and(warp::path("discard")).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let list = all.and(warp::get()).and(asked()).and(query()).then(rooms::mails).map(Reply::into_response);
    let show = mail.and(warp::get()).and(asked()).then(rooms::mail).map(Reply::into_response);
    let show_html = html.and(warp::get()).and(asked()).then(rooms::mail_html).map(Reply::into_response);
    let retry_one =
        retry.map(Some).or(retry_all.map(|| None)).unify().and(warp::post()).and(asked()).then(rooms::retry);
    let discard_one = discard.and(warp::post()).and(asked()).then(rooms::discard).map(Reply::into_response);
    let read = all.or(mail.or(html).unify().map(|_| ()).untuple_one()).unify();
    let write = retry_all.or(retry.or(discard).unify().map(|_| ()).untuple_one()).unify();
    let no_write = read.map(|| Error::MethodNotAllowed("GET, HEAD").into_response());
    let no_read = write.map(|| Error::MethodNotAllowed("POST").into_response());
    let reads = list.or(show).unify().or(show_html).unify();
    let writes = retry_one.map(Reply::into_response).or(discard_one).unify();
    reads.or(writes).unify().or(no_write).unify().or(no_read).unify()
}

/// `/api/audit`, `/api/tallies`, `/api/attention`, `/api/backups`.
fn reading_paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let audit = warp::path("audit").and(warp::path::end());
    let tallies = warp::path("tallies").and(warp::path::end());
    let attention = warp::path("attention").and(warp::path::end());
    let backups = warp::path("backups").and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let log = audit.and(warp::get()).and(asked()).and(query()).then(rooms::audit).map(Reply::into_response);
    let tally =
        tallies.and(warp::get()).and(asked()).and(query()).then(rooms::tallies).map(Reply::into_response);
    let matters = attention.and(warp::get()).and(asked()).then(rooms::attention).map(Reply::into_response);
    let list = backups.and(warp::get()).and(asked()).then(rooms::backups).map(Reply::into_response);
    let make = backups.and(warp::post()).and(asked()).then(rooms::back_up).map(Reply::into_response);
    let read = audit.or(tallies).unify().or(attention).unify();
    let no_write = read.map(|| Error::MethodNotAllowed("GET, HEAD").into_response());
    let other = backups.map(|| Error::MethodNotAllowed("GET, HEAD, POST").into_response());
    let gets = log.or(tally).unify().or(matters).unify().or(list).unify();
    gets.or(make).unify().or(no_write).unify().or(other).unify()
}

/// `/api/admin/sessions…` and `/api/admin/accounts…`.
fn people_paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let admin = warp::path("admin");
    let sessions = admin.and(warp::path("sessions")).and(warp::path::end());
    let session = admin.and(warp::path("sessions")).and(warp::path::param::<String>()).and(warp::path::end());
    let accounts = admin.and(warp::path("accounts")).and(warp::path::end());
    let account = admin.and(warp::path("accounts")).and(warp::path::param::<String>()).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let json = || body::json(body_limits(desk));
    let list_sessions =
        sessions.and(warp::get()).and(asked()).then(accounts::sessions).map(Reply::into_response);
    let end = session.and(warp::delete()).and(asked()).then(accounts::end_session).map(Reply::into_response);
    let list = accounts.and(warp::get()).and(asked()).then(accounts::list).map(Reply::into_response);
    let add =
        accounts.and(warp::post()).and(asked()).and(json()).then(accounts::add).map(Reply::into_response);
    let change =
        account.and(warp::patch()).and(asked()).and(json()).then(accounts::change).map(Reply::into_response);
    let remove = account.and(warp::delete()).and(asked()).then(accounts::remove).map(Reply::into_response);
    let other = [
        sessions.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed(),
        session.map(|_| Error::MethodNotAllowed("DELETE").into_response()).boxed(),
        accounts.map(|| Error::MethodNotAllowed("GET, HEAD, POST").into_response()).boxed(),
        account.map(|_| Error::MethodNotAllowed("DELETE, PATCH").into_response()).boxed(),
    ];
    let [a, b, c, d] = other;
    let other = a.or(b).unify().or(c).unify().or(d).unify();
    let reads = list_sessions.or(list).unify();
    let writes = end.or(add).unify().or(change).unify().or(remove).unify();
    reads.or(writes).unify().or(other).unify()
}
