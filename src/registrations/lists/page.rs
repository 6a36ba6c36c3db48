//! A list as a page for printing.

use minijinja::{Environment, Value, context};

use super::List;
use crate::error::{Error, Result};

/// The page's template; its extension makes it escape every value.
const TEMPLATE: &str = "list.html";

/// A complete HTML document without scripts.
///
/// # Errors
/// [`Error::Internal`] if the template cannot use the values.
pub fn to_html(list: &List) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment
        .add_template(TEMPLATE, include_str!("list.html"))
        .and_then(|()| {
            let running_head = css_text(&format!("{}: {}", list.event, list.heading()));
            let template = environment.get_template(TEMPLATE)?;
            template.render(context! { running_head, ..Value::from_serialize(list) })
        })
        .map_err(|error| Error::Internal(format!("the list '{}': {error:#}", list.title)))
}

/// Escapes a text for a CSS string: every character except letters, digits and spaces is written as its code point.
fn css_text(text: &str) -> String {
    let mut css = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || character == ' ' {
            css.push(character);
        } else {
            css.push_str(&format!("\\{:x} ", u32::from(character)));
        }
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_css_string_or_its_style() {
        assert_eq!(css_text("Lash & Brow"), r"Lash \26  Brow");
        assert_eq!(css_text("\"}</style>é\n"), r"\22 \7d \3c \2f style\3e \e9 \a ");
    }
}
