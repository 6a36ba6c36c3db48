//! The templates of all mails, compiled in. HTML ones escape what people typed.

use std::sync::LazyLock;

use minijinja::{Environment, Value};

use crate::error::{Error, Result};
use crate::pricing;

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", pricing::grouped);
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
        ("answers.html", include_str!("templates/answers.html")),
        ("answers.txt", include_str!("templates/answers.txt")),
        ("footer.txt", include_str!("templates/footer.txt")),
        ("report.html", include_str!("templates/report.html")),
        ("report.txt", include_str!("templates/report.txt")),
    ];
    for (name, source) in sources {
        environment.add_template(name, source).expect("our own templates are valid");
    }
    environment
});

/// Renders `{name}.txt` and `{name}.html` with the same values.
///
/// # Errors
/// [`Error::Internal`] when a template and its values do not fit.
pub fn render(name: &str, values: &Value) -> Result<(String, String)> {
    let one = |ending: &str| {
        TEMPLATES
            .get_template(&format!("{name}.{ending}"))
            .and_then(|template| template.render(values))
            .map_err(|error| Error::Internal(format!("the mail '{name}': {error:#}")))
    };
    Ok((one("txt")?, one("html")?))
}
