//! The paths of the API: which handler answers a request.

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;

use http::Method;
use warp::Reply;
use warp::reply::Response;

use super::call::{Call, Params};
use crate::error::{Error, Result};

/// A response that is being prepared.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;
type Handler = Box<dyn Fn(Call) -> ResponseFuture + Send + Sync>;
pub type Endpoint = (Method, Handler);

/// A handler that anybody may call.
pub fn public<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    (method, Box::new(move |call| answer(handler(call))))
}

fn answer(result: impl Future<Output = Result<Response>> + Send + 'static) -> ResponseFuture {
    Box::pin(async { result.await.unwrap_or_else(Reply::into_response) })
}

/// The answer to a request that no handler is called for.
pub fn refuse(error: Error) -> ResponseFuture {
    answer(async { Err(error) })
}

/// A path such as `/api/{kind}/{id}` with the handlers of its methods.
pub struct Route {
    path: &'static str,
    handlers: HashMap<Method, Handler>,
}

impl Route {
    pub fn new(path: &'static str, endpoints: Vec<Endpoint>) -> Route {
        Route { path, handlers: endpoints.into_iter().collect() }
    }

    /// The values in a requested path, if it is one of this route: `{kind}` is a [`crate::model::Kind`], `{id}` an integer,
    /// `{name}`, `{other}` and `{request}` any segment.
    pub fn params(&self, requested: &str) -> Option<Params> {
        let mut params = Params::default();
        let mut requested = segments(requested);
        for segment in segments(self.path) {
            let given = requested.next().filter(|given| !given.is_empty())?;
            match segment {
                "{kind}" => params.kind = Some(given.parse().ok()?),
                "{id}" => params.id = Some(given.parse().ok()?),
                "{name}" => params.name = Some(given.to_owned()),
                "{other}" => params.other = Some(given.to_owned()),
                "{request}" => params.request = Some(given.to_owned()),
                literal if literal == given => {}
                _ => return None,
            }
        }
        requested.next().is_none().then_some(params)
    }

    /// Calls the handler of the request's method. Other methods get `405` with `Allow`.
    pub fn answer(&self, call: Call) -> ResponseFuture {
        match self.handlers.get(&call.method) {
            Some(handler) => handler(call),
            None => refuse(Error::MethodNotAllowed(self.allowed())),
        }
    }

    /// The value of `Allow`. HEAD is answered like GET, without the body (`http::server`).
    fn allowed(&self) -> String {
        let mut names: BTreeSet<&str> = self.handlers.keys().map(Method::as_str).collect();
        if names.contains("GET") {
            names.insert("HEAD");
        }
        names.into_iter().collect::<Vec<_>>().join(", ")
    }
}

/// The segments of a path. A slash at its end makes no difference.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_suffix('/').unwrap_or(path).split('/').skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    #[test]
    fn a_path_is_matched_segment_by_segment() {
        let route = Route::new("/api/{kind}/{id}/photos/{name}", Vec::new());
        let params = route.params("/api/waitlist-signups/7/photos/a%2Fb/").expect("a match");
        assert_eq!((params.kind, params.id), (Some(Kind::WaitlistSignups), Some(7)));
        assert_eq!(params.name.as_deref(), Some("a%2Fb"), "as it was sent");
        for other in [
            "/api/waitlist-signups/7/photos",
            "/api/waitlist-signups/7/photos/",
            "/api/waitlist-signups/7/photos//",
            "/api/waitlist-signups/7/photos/a/b",
            "/api/waitlist-signups/x/photos/a",
            "/api/nothing/7/photos/a",
            "/api/waitlist-signups/7/Photos/a",
            "/",
            "",
        ] {
            assert!(route.params(other).is_none(), "{other}");
        }
    }
}
