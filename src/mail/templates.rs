//! The templates of all emails, compiled in. The HTML ones escape their values.

use std::borrow::Cow;
use std::sync::LazyLock;

use minijinja::Environment;
use rust_embed::Embed;
use serde::Serialize;
use serde_json::json;

use super::plain;
use crate::error::{Error, Result};
use crate::model::format_count;

/// The template of an email whose values are its finished text and HTML.
const WRITTEN: &str = "written";

/// The key of the values that only the recipient may see.
const SECRET: &str = "secret";
/// What everybody else sees instead.
const HIDDEN: &str = "(hidden)";

/// The link and the code with which somebody signs in, as the outbox and the organiser see them.
pub(super) fn hidden() -> serde_json::Value {
    json!({ "url": HIDDEN, "code": HIDDEN })
}

#[derive(Embed)]
#[folder = "src/mail/templates"]
struct Files;

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", format_count);
    environment.add_filter("unlinked", plain::unlinked);
    for name in Files::iter() {
        let Some(Cow::Borrowed(source)) = Files::get(&name).map(|file| file.data) else {
            unreachable!("rust-embed puts every template into the program");
        };
        let source = std::str::from_utf8(source).expect("our own templates are UTF-8");
        environment.add_template_owned(name.into_owned(), source).expect("our own templates are valid");
    }
    for (name, source) in [
        ("uncomposed.html", "<p>{{ sentence }}</p>"),
        ("uncomposed.txt", "{{ sentence }}"),
        ("written.html", "{{ html | safe }}"),
        ("written.txt", "{{ text }}"),
    ] {
        environment.add_template(name, source).expect("our own templates are valid");
    }
    environment
});

/// The body of an email: a template and its values. Text and HTML are rendered when the email is sent or displayed, so
/// that queueing one is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The template's name, without `.txt` or `.html`.
    pub template: String,
    /// JSON. The outbox stores it in its column `words`.
    pub values: String,
}

impl Body {
    /// # Errors
    /// [`Error::Internal`] if the values cannot be serialised.
    pub fn new(template: &str, values: &impl Serialize) -> Result<Body> {
        let values = serde_json::to_string(values)
            .map_err(|error| Error::Internal(format!("the email '{template}': {error}")))?;
        Ok(Body { template: template.to_owned(), values })
    }

    /// A body from finished text and HTML.
    pub fn written(text: &str, html: &str) -> Body {
        Body { template: WRITTEN.to_owned(), values: json!({ "text": text, "html": html }).to_string() }
    }

    /// The same body as finished text and HTML, which a later version of the template cannot change.
    ///
    /// # Errors
    /// Those of [`Body::text`].
    pub fn as_written(&self) -> Result<Body> {
        Ok(Body::written(&self.text()?, &self.html()?))
    }

    /// The same body with what signs its recipient in. The token is in the fragment, which no server, log or proxy sees.
    ///
    /// # Errors
    /// [`Error::Internal`] if the values cannot be read.
    pub fn with_link(&self, token: &str, code: &str) -> Result<Body> {
        let mut values: serde_json::Value = serde_json::from_str(&self.values)
            .map_err(|error| Error::Internal(format!("the values of '{}': {error}", self.template)))?;
        let page = values["page"].as_str().unwrap_or_default();
        values[SECRET] = json!({ "url": format!("{page}#{token}"), "code": code });
        Ok(Body { template: self.template.clone(), values: values.to_string() })
    }

    /// Whether it is finished text and HTML.
    pub fn is_written(&self) -> bool {
        self.template == WRITTEN
    }

    /// A body from the stored values of [`Body::as_written`].
    pub fn from_written(values: String) -> Body {
        Body { template: WRITTEN.to_owned(), values }
    }

    /// # Errors
    /// [`Error::Internal`] if the template does not exist or cannot use the values.
    pub fn text(&self) -> Result<String> {
        self.rendered("txt")
    }

    /// # Errors
    /// Those of [`Body::text`].
    pub fn html(&self) -> Result<String> {
        self.rendered("html")
    }

    fn rendered(&self, extension: &str) -> Result<String> {
        let name = format!("{}.{extension}", self.template);
        let values: serde_json::Value = serde_json::from_str(&self.values)
            .map_err(|error| Error::Internal(format!("the values of the email '{name}': {error}")))?;
        TEMPLATES
            .get_template(&name)
            .and_then(|template| template.render(values))
            .map_err(|error| Error::Internal(format!("the email '{name}': {error:#}")))
    }
}

impl Default for Body {
    fn default() -> Self {
        Body::written("", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_asks_has_no_colon() {
        let field = |label: &str, value: &str| json!({ "label": label, "value": value, "short": true, "typed": false });
        let fields = [field("How many categories?", "One"), field("Name", "Ada")];
        let values = json!({ "sections": [{ "title": "Entry", "fields": fields }] });
        let text = Body::new("answers", &values).and_then(|body| body.text()).expect("a text");
        assert!(text.contains("How many categories? One\nName: Ada\n"), "{text}");
    }

    #[test]
    fn only_a_body_that_leaves_has_the_link() {
        let values = json!({ "secret": hidden(), "page": "https://x/judge", "subject": "s" });
        let body = Body::new("judge-link", &values).expect("a body");
        let leaving = body.with_link("abc", "123456").expect("a body");
        let secret = json!({ "url": "https://x/judge#abc", "code": "123456" });
        let expected = json!({ "secret": secret, "page": "https://x/judge", "subject": "s" });
        assert_eq!(leaving.values, expected.to_string());
        assert!(body.values.contains(HIDDEN) && !body.values.contains("judge#"), "{}", body.values);
    }

    #[test]
    fn a_missing_template_and_wrong_values_are_errors() {
        let body = |template: &str, values: &str| Body { template: template.into(), values: values.into() };
        for (body, cause) in [
            (body("nothing", "{}"), "nothing.txt"),
            (body("alarm", "{"), "the values of the email 'alarm.txt'"),
            (body("report", r#"{"report":{"total":"many"}}"#), "the email 'report.txt'"),
        ] {
            let error = body.text().expect_err("it cannot be rendered");
            assert!(error.cause().unwrap_or_default().contains(cause), "{error:?}");
        }
    }
}
