//! A list as a page for paper.

use minijinja::Environment;

use super::List;
use crate::error::{Error, Result};

/// The page's template; its extension makes it escape every value.
const TEMPLATE: &str = "list.html";

/// A whole document without script.
///
/// # Errors
/// [`Error::Internal`] if the template cannot use the values.
pub fn to_html(list: &List) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment
        .add_template(TEMPLATE, include_str!("list.html"))
        .and_then(|()| environment.get_template(TEMPLATE)?.render(list))
        .map_err(|error| Error::Internal(format!("the list '{}': {error:#}", list.title)))
}
