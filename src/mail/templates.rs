//! The templates of all mails, compiled in. HTML ones escape what people typed.

use std::sync::LazyLock;

use minijinja::Environment;
use serde::Serialize;
use serde_json::json;

use super::plain;
use crate::error::{Error, Result};
use crate::payments::pricing;

/// The template of a mail whose text and HTML are its words.
const WRITTEN: &str = "written";

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", pricing::grouped);
    environment.add_filter("unlinked", plain::unlinked);
    let sources = [
        ("alarm.html", include_str!("templates/alarm.html")),
        ("alarm.txt", include_str!("templates/alarm.txt")),
        ("layout.html", include_str!("templates/layout.html")),
        ("confirmation.html", include_str!("templates/confirmation.html")),
        ("confirmation.txt", include_str!("templates/confirmation.txt")),
        ("entry.html", include_str!("templates/entry.html")),
        ("entry.txt", include_str!("templates/entry.txt")),
        ("decision.html", include_str!("templates/decision.html")),
        ("decision.txt", include_str!("templates/decision.txt")),
        ("notice.html", include_str!("templates/notice.html")),
        ("notice.txt", include_str!("templates/notice.txt")),
        ("more-notices.html", include_str!("templates/more-notices.html")),
        ("more-notices.txt", include_str!("templates/more-notices.txt")),
        ("answers.html", include_str!("templates/answers.html")),
        ("answers.txt", include_str!("templates/answers.txt")),
        ("visit.html", include_str!("templates/visit.html")),
        ("visit.txt", include_str!("templates/visit.txt")),
        ("contact.html", include_str!("templates/contact.html")),
        ("contact.txt", include_str!("templates/contact.txt")),
        ("footer.txt", include_str!("templates/footer.txt")),
        ("report.html", include_str!("templates/report.html")),
        ("report.txt", include_str!("templates/report.txt")),
        ("written.html", "{{ html | safe }}"),
        ("written.txt", "{{ text }}"),
    ];
    for (name, source) in sources {
        environment.add_template(name, source).expect("our own templates are valid");
    }
    environment
});

/// What a mail says: the name of a template, and the words that it is filled with. Text and HTML are made of them
/// when the mail is sent or looked at, so that whoever queues one waits for neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    pub template: String,
    /// JSON.
    pub words: String,
}

impl Body {
    /// # Errors
    /// [`Error::Internal`] when the words cannot be written as JSON.
    pub fn of(template: &str, words: &impl Serialize) -> Result<Body> {
        let words = serde_json::to_string(words)
            .map_err(|error| Error::Internal(format!("the mail '{template}': {error}")))?;
        Ok(Body { template: template.to_owned(), words })
    }

    /// A mail whose text and HTML are there already.
    pub fn written(text: &str, html: &str) -> Body {
        Body { template: WRITTEN.to_owned(), words: json!({ "text": text, "html": html }).to_string() }
    }

    /// The same mail, which no later template changes any more.
    ///
    /// # Errors
    /// As [`Body::text`].
    pub fn as_written(&self) -> Result<Body> {
        Ok(Body::written(&self.text()?, &self.html()?))
    }

    /// Whether no later template changes it any more.
    pub fn is_written(&self) -> bool {
        self.template == WRITTEN
    }

    /// A mail whose text and HTML were kept as the words of [`Body::as_written`].
    pub fn from_written(words: String) -> Body {
        Body { template: WRITTEN.to_owned(), words }
    }

    /// # Errors
    /// [`Error::Internal`] when the template and its words do not fit.
    pub fn text(&self) -> Result<String> {
        self.rendered("txt")
    }

    /// # Errors
    /// As [`Body::text`].
    pub fn html(&self) -> Result<String> {
        self.rendered("html")
    }

    fn rendered(&self, ending: &str) -> Result<String> {
        let name = format!("{}.{ending}", self.template);
        let words: serde_json::Value = serde_json::from_str(&self.words)
            .map_err(|error| Error::Internal(format!("the words of the mail '{name}': {error}")))?;
        TEMPLATES
            .get_template(&name)
            .and_then(|template| template.render(words))
            .map_err(|error| Error::Internal(format!("the mail '{name}': {error:#}")))
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
    fn words_become_text_and_html() {
        let words = json!({ "subject": "s", "sentence": "1 < 2 & 3", "event": { "name": "E" }, "mail": {} });
        let body = Body::of("alarm", &words).expect("words");
        assert!(body.text().expect("a text").contains("1 < 2 & 3"));
        assert!(body.html().expect("HTML").contains("1 &lt; 2 &amp; 3"));
        let written = body.as_written().expect("the same");
        assert_eq!(written.text().expect("a text"), body.text().expect("a text"));
        assert_eq!(written.html().expect("HTML"), body.html().expect("HTML"));
    }

    #[test]
    fn words_that_do_not_fit_are_told() {
        let body = |template: &str, words: &str| Body { template: template.into(), words: words.into() };
        for (body, told) in [
            (body("nothing", "{}"), "nothing.txt"),
            (body("alarm", "{"), "the words of the mail 'alarm.txt'"),
            (body("report", r#"{"report":{"total":"many"}}"#), "the mail 'report.txt'"),
        ] {
            let error = body.text().expect_err("it does not fit");
            assert!(error.cause().unwrap_or_default().contains(told), "{error:?}");
        }
    }
}
