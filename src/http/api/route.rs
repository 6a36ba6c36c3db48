//! Turns one path of the API with its methods into a warp filter.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Buf;
use http::{HeaderMap, Method};
use tokio_stream::StreamExt;
use warp::filters::BoxedFilter;
use warp::reply::Response;
use warp::{Filter, Reply, Stream};

use super::call::{BodyStream, Call, Params};
use super::state::ApiState;
use crate::error::{Error, Result};
use crate::http::client_ip::Client;
use crate::model::Kind;

/// A response that is being prepared.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;
/// A filter that answers some requests and rejects the others, which then go to the next filter.
pub type Route = BoxedFilter<(Response,)>;
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

/// The filter for a path such as `/api/{kind}/{id}`: `{kind}` is a [`Kind`], `{id}` an integer, `{name}`, `{other}` and
/// `{request}` any segment.
/// Other methods get `405` with `Allow`.
pub fn route(state: &Arc<ApiState>, path: &str, endpoints: impl IntoIterator<Item = Endpoint>) -> Route {
    let endpoints: Arc<HashMap<Method, Handler>> = Arc::new(endpoints.into_iter().collect());
    let allowed = allowed(endpoints.keys());
    let state = Arc::clone(state);
    path_filter(path)
        .and(warp::method())
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Client>())
        .and(query())
        .and(warp::body::stream().map(boxed))
        .then(move |params: Params, method: Method, headers: HeaderMap, client, query, body| {
            let call = Call {
                state: Arc::clone(&state),
                client,
                method,
                headers,
                params,
                query,
                body,
                is_organiser: false,
            };
            match endpoints.get(&call.method) {
                Some(handler) => handler(call),
                None => {
                    let refused = Error::MethodNotAllowed(allowed.clone()).into_response();
                    Box::pin(std::future::ready(refused)) as ResponseFuture
                }
            }
        })
        .boxed()
}

/// Tries the filters in order until one accepts the request. They are boxed because `or` would otherwise generate code
/// for each pair of types.
pub fn first_of(routes: Vec<Route>) -> Route {
    routes.into_iter().reduce(|first, next| first.or(next).unify().boxed()).expect("at least one route")
}

fn boxed<B: Buf>(
    body: impl Stream<Item = std::result::Result<B, warp::Error>> + Send + Sync + 'static,
) -> BodyStream {
    Box::pin(body.map(|part| part.map(|mut part| part.copy_to_bytes(part.remaining()))))
}

fn path_filter(path: &str) -> BoxedFilter<(Params,)> {
    let start = warp::any().map(Params::default).boxed();
    let segments = path.trim_start_matches('/').split('/');
    segments
        .fold(start, |filter, segment| match segment {
            "{kind}" => filter
                .and(warp::path::param::<Kind>())
                .map(|params, kind| Params { kind: Some(kind), ..params })
                .boxed(),
            "{id}" => filter
                .and(warp::path::param::<i64>())
                .map(|params, id| Params { id: Some(id), ..params })
                .boxed(),
            "{name}" => filter
                .and(warp::path::param::<String>())
                .map(|params, name| Params { name: Some(name), ..params })
                .boxed(),
            "{other}" => filter
                .and(warp::path::param::<String>())
                .map(|params, other| Params { other: Some(other), ..params })
                .boxed(),
            "{request}" => filter
                .and(warp::path::param::<String>())
                .map(|params, request| Params { request: Some(request), ..params })
                .boxed(),
            segment => filter.and(warp::path(segment.to_owned())).boxed(),
        })
        .and(warp::path::end())
        .boxed()
}

/// The value of `Allow`. HEAD is answered like GET, without the body (`http::server`).
fn allowed<'a>(methods: impl Iterator<Item = &'a Method>) -> String {
    let mut names: BTreeSet<&str> = methods.map(Method::as_str).collect();
    if names.contains("GET") {
        names.insert("HEAD");
    }
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn query() -> impl Filter<Extract = (HashMap<String, String>,), Error = Infallible> + Clone {
    let raw = warp::query::raw().or(warp::any().map(String::new)).unify();
    raw.map(|raw: String| url::form_urlencoded::parse(raw.as_bytes()).into_owned().collect())
}
