//! Renders the React pages with QuickJS. An engine lives for one run over all pages, so that no state of one run can
//! leak into the next.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rquickjs::function::IntoArgs;
use rquickjs::{CatchResultExt, Context, Function, Module, Runtime};
use serde::Deserialize;

use crate::error::{Error, Result};

/// React recurses deeply. The engine's own limit must be below the thread's.
const THREAD_STACK: usize = 8 << 20;
const ENGINE_STACK: usize = 6 << 20;
const ENGINE_MEMORY: usize = 256 << 20;
/// An engine lives for a moment and leaves hardly any garbage, so it is not searched for any below this size.
const GC_THRESHOLD: usize = 64 << 20;
/// Loading an engine takes as long as rendering several pages, so a third one would not pay off.
const MAX_ENGINES: usize = 2;

/// One page, as the UI's server bundle returns it.
#[derive(Deserialize)]
pub struct Page {
    #[serde(skip)]
    pub path: String,
    /// The whole document.
    pub html: String,
    /// The data that the page was rendered from, for client navigation.
    pub data: serde_json::Value,
    pub policy: Policy,
    /// Why the page could not be rendered. Its document then says that it cannot be shown.
    #[serde(default)]
    pub failure: Option<String>,
}

/// Which content security policy a page has.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    Site,
    Entry,
    Door,
    Organiser,
}

/// The UI's server bundle as bytecode, which its engines run in place.
pub type Bundle = &'static [u8];

/// Renders every page of the site, or a few, and passes each to `finish`. All pages are rendered in parallel. `input` is
/// the JSON with the data of all pages. Returns the results, and the paths of all pages.
///
/// # Errors
/// [`Error::Internal`] with the script's own message.
pub fn render<T: Send>(
    bundle: Bundle,
    input: &str,
    few: Option<&[&str]>,
    finish: impl Fn(Page) -> T + Sync,
) -> Result<(Vec<T>, Vec<String>)> {
    let next = AtomicUsize::new(0);
    let work = || render_share(bundle, input, few, &next, &finish);
    let engines = match few {
        Some(_) => 1,
        None => thread::available_parallelism().map_or(1, usize::from).min(MAX_ENGINES),
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..engines)
            .map(|_| {
                thread::Builder::new()
                    .name("render".into())
                    .stack_size(THREAD_STACK)
                    .spawn_scoped(scope, work)
            })
            .collect();
        let (mut finished, mut paths) = (Vec::new(), Vec::new());
        for thread in threads {
            let panicked = |_| Err(Error::Internal("the page renderer panicked".into()));
            let (share, all) = thread?.join().unwrap_or_else(panicked)?;
            finished.extend(share);
            paths = all;
        }
        Ok((finished, paths))
    })
}

/// Creates an engine, then renders pages that no other thread has taken, until none is left.
fn render_share<T>(
    bundle: Bundle,
    input: &str,
    few: Option<&[&str]>,
    next: &AtomicUsize,
    finish: &impl Fn(Page) -> T,
) -> Result<(Vec<T>, Vec<String>)> {
    let mut engine = Engine::load(bundle)?;
    let paths: Vec<String> = parse("routes", &engine.call("routes", (input,))?)?;
    let is_wanted = |path: &&String| few.is_none_or(|few| few.contains(&path.as_str()));
    let wanted: Vec<&String> = paths.iter().filter(is_wanted).collect();
    let mut finished = Vec::new();
    while let Some(path) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
        let page = engine.render(path, input)?;
        if let Some(failure) = &page.failure {
            tracing::error!(path, "rendering: {failure}");
            // The failure may have left its engine in a bad state.
            engine = Engine::load(bundle)?;
        }
        finished.push(finish(page));
    }
    Ok((finished, paths))
}

struct Engine {
    context: Context,
}

impl Engine {
    fn load(bundle: Bundle) -> Result<Engine> {
        let failed = |error: rquickjs::Error| Error::Internal(format!("the page engine: {error}"));
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_max_stack_size(ENGINE_STACK);
        runtime.set_memory_limit(ENGINE_MEMORY);
        runtime.set_gc_threshold(GC_THRESHOLD);
        // The context keeps its runtime alive.
        let context = Context::full(&runtime).map_err(failed)?;
        context.with(|ctx| {
            #[expect(unsafe_code, reason = "QuickJS trusts its bytecode")]
            // SAFETY: the bytes are what `bytecode::compile` wrote, with the same version of QuickJS, and live forever.
            unsafe { Module::load(ctx.clone(), bundle) }
                .and_then(|module| module.eval()?.1.finish::<()>())
                .catch(&ctx)
                .map_err(|error| script_error("loading", &error))
        })?;
        Ok(Engine { context })
    }

    fn render(&self, path: &str, input: &str) -> Result<Page> {
        let rendered = self.call("renderPage", (path, input))?;
        Ok(Page { path: path.to_owned(), ..parse::<Page>(path, &rendered)? })
    }

    /// Calls a function of the bundle. All of them take and return strings.
    fn call<A: for<'js> IntoArgs<'js>>(&self, name: &str, arguments: A) -> Result<String> {
        self.context.with(|ctx| {
            ctx.globals()
                .get::<_, Function>(name)
                .and_then(|function| function.call(arguments))
                .catch(&ctx)
                .map_err(|error| script_error(name, &error))
        })
    }
}

fn parse<'a, T: Deserialize<'a>>(what: &str, json: &'a str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::Internal(format!("rendering {what}: {error}")))
}

fn script_error(what: &str, error: &rquickjs::CaughtError<'_>) -> Error {
    Error::Internal(format!("rendering ({what}): {error}"))
}

#[cfg(test)]
mod tests {
    use super::super::bytecode;
    use super::*;

    /// Every page shows whether its engine is tainted. Even pages fail and taint it.
    const BUNDLE: &str = r#"
        globalThis.tainted = false;
        globalThis.routes = () => JSON.stringify(Array.from({ length: 20 }, (_, n) => "/" + n));
        globalThis.renderPage = (path, input) => {
            const page = { html: path + input + tainted, data: {}, policy: "site" };
            if (Number(path.slice(1)) % 2 === 0) { tainted = true; page.failure = "it broke"; }
            return JSON.stringify(page);
        };
    "#;

    fn compiled(script: &str) -> Bundle {
        bytecode::compile(script).expect("a valid script").leak()
    }

    #[test]
    fn the_engine_of_a_failed_page_is_discarded() {
        let (pages, _) = render(compiled(BUNDLE), "!", None, |page| page).expect("pages");
        let paths: std::collections::BTreeSet<_> = pages.iter().map(|page| page.path.clone()).collect();
        assert_eq!((pages.len(), paths.len()), (20, 20));
        for page in pages {
            assert_eq!(page.html, format!("{}!false", page.path), "the engine is tainted");
            let number: u32 = page.path[1..].parse().expect("a number");
            assert_eq!(page.failure.is_some(), number.is_multiple_of(2));
        }
    }

    #[test]
    fn only_the_pages_that_are_asked_for_are_rendered() {
        let few = ["/3", "/7", "/none"];
        let (paths, all) = render(compiled(BUNDLE), "!", Some(&few), |page| page.path).expect("pages");
        assert_eq!((paths, all.len()), (vec!["/3".to_owned(), "/7".to_owned()], 20));
    }

    #[test]
    fn a_script_that_fails_is_an_error_with_its_message() {
        let recursion = "globalThis.routes = function again() { return again() + 1 }";
        for (bundle, message) in [
            ("throw new Error('no good')", "no good"),
            ("globalThis.routes = () => missing.name", "missing"),
            (recursion, "stack"),
            ("globalThis.routes = () => '{'", "routes"),
            ("", "routes"),
        ] {
            let error = render(compiled(bundle), "", None, |page| page.path).expect_err(bundle);
            assert!(error.cause().expect("a cause").contains(message), "{error:?}");
        }
    }
}
