//! The site's cookies. Each holds a random token.

use chrono::TimeDelta;
use http::header::{COOKIE, HeaderMap, HeaderValue};

use crate::app::App;
use crate::portal::access::Audience;

/// The most values of one cookie that are read from a request.
const MAX_VALUES: usize = 8;

/// A cookie by its name under plain HTTP.
#[derive(Clone, Copy)]
pub struct Cookie(&'static str);

impl Cookie {
    /// An organiser's session.
    pub const ORGANISER: Cookie = Cookie("showcase_session");
    /// A browser that somebody has signed in with. It is not a credential: it only gives that browser its own sign-in rate.
    pub const BROWSER: Cookie = Cookie("showcase_browser");
    /// A volunteer's device.
    pub const DOOR: Cookie = Cookie("showcase_door");

    /// The session of a competitor or a judge.
    pub fn of_session(audience: Audience) -> Cookie {
        match audience {
            Audience::Competitors => Cookie("showcase_artist"),
            Audience::Judges => Cookie("showcase_judge"),
        }
    }

    /// Browsers accept the prefix `__Host-` only under HTTPS and from the host itself, so a sibling domain cannot set it
    /// (RFC 6265bis, section 4.1.3.2).
    fn name(self, app: &App) -> String {
        let prefix = if is_https(app) { "__Host-" } else { "" };
        format!("{prefix}{}", self.0)
    }

    /// The first few values in a request. A browser may also send old ones, left behind by another path or a sibling domain.
    pub fn values(self, headers: &HeaderMap, app: &App) -> Vec<String> {
        values(headers, &self.name(app))
    }

    /// Stores a token.
    pub fn set(self, app: &App, token: &str, max_age: TimeDelta) -> HeaderValue {
        self.header(app, token, &format!("; Max-Age={}", max_age.num_seconds()))
    }

    /// Stores a token until the browser is closed.
    pub fn set_until_closed(self, app: &App, token: &str) -> HeaderValue {
        self.header(app, token, "")
    }

    fn header(self, app: &App, token: &str, age: &str) -> HeaderValue {
        let secure = if is_https(app) { "; Secure" } else { "" };
        let name = self.name(app);
        HeaderValue::try_from(format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict{age}{secure}"))
            .expect("a token is hexadecimal")
    }

    pub fn delete(self, app: &App) -> HeaderValue {
        self.set(app, "", TimeDelta::zero())
    }
}

fn is_https(app: &App) -> bool {
    app.public_url().starts_with("https://")
}

fn values(headers: &HeaderMap, name: &str) -> Vec<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let values = pairs.filter_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='));
    values.take(MAX_VALUES).map(str::to_owned).collect()
}
