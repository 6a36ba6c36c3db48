//! The React pages, rendered by QuickJS. An engine lives for one run over all pages and is then
//! thrown away with its memory: nothing that one run did can reach the next.

use std::thread;

use rquickjs::{CatchResultExt, Context, Ctx, Function, Runtime};
use serde::Deserialize;

use crate::error::{Error, Result};

/// React recurses deeply; the engine's own limit stays below the thread's.
const THREAD_STACK: usize = 8 << 20;
const ENGINE_STACK: usize = 6 << 20;
const ENGINE_MEMORY: usize = 256 << 20;

/// One page as the UI's server bundle gives it.
#[derive(Deserialize)]
pub struct Page {
    #[serde(skip)]
    pub path: String,
    /// The whole document.
    pub html: String,
    /// What the page was rendered with, for client navigation.
    pub data: serde_json::Value,
    pub policy: Policy,
}

/// Whose content security policy a page has.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    Site,
    Entry,
    Organiser,
}

/// Renders every page of the site on a thread of its own; `input` is the JSON that pages are made from.
///
/// # Errors
/// [`Error::Internal`] with the script's own message; the caller keeps what it served before.
pub fn render_all(bundle: &str, input: &str) -> Result<Vec<Page>> {
    thread::scope(|scope| {
        thread::Builder::new()
            .name("render".into())
            .stack_size(THREAD_STACK)
            .spawn_scoped(scope, || run(bundle, input))?
            .join()
            .unwrap_or_else(|_| Err(Error::Internal("the page renderer panicked".into())))
    })
}

fn run(bundle: &str, input: &str) -> Result<Vec<Page>> {
    let failed = |error: rquickjs::Error| Error::Internal(format!("the page engine: {error}"));
    let runtime = Runtime::new().map_err(failed)?;
    runtime.set_max_stack_size(ENGINE_STACK);
    runtime.set_memory_limit(ENGINE_MEMORY);
    let context = Context::full(&runtime).map_err(failed)?;
    context.with(|ctx| {
        ctx.eval::<(), _>(bundle).catch(&ctx).map_err(|error| script_error("loading", &error))?;
        let paths: Vec<String> = parse("routes", &call(&ctx, "routes", (input,))?)?;
        paths.into_iter().map(|path| render_page(&ctx, path, input)).collect()
    })
}

fn render_page(ctx: &Ctx<'_>, path: String, input: &str) -> Result<Page> {
    let rendered = call(ctx, "renderPage", (path.as_str(), input))?;
    Ok(Page { path: path.clone(), ..parse::<Page>(&path, &rendered)? })
}

fn call<'js, A: rquickjs::function::IntoArgs<'js>>(
    ctx: &Ctx<'js>,
    name: &str,
    arguments: A,
) -> Result<String> {
    ctx.globals()
        .get::<_, Function>(name)
        .and_then(|function| function.call(arguments))
        .catch(ctx)
        .map_err(|error| script_error(name, &error))
}

fn parse<'a, T: Deserialize<'a>>(what: &str, json: &'a str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::Internal(format!("rendering {what}: {error}")))
}

fn script_error(what: &str, error: &rquickjs::CaughtError<'_>) -> Error {
    Error::Internal(format!("rendering ({what}): {error}"))
}
