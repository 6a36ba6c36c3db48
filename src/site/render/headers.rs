//! The security headers. After client navigation the content security policy of the first page still applies. So all
//! public pages share one; only the entry page, which is always loaded in full, has another, with the payment provider's
//! origins.

use http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

use super::engine::Policy;

/// Stripe's origins for the Payment Element (<https://docs.stripe.com/security/guide#content-security-policy>).
const STRIPE_SCRIPTS: &str = "https://js.stripe.com https://*.js.stripe.com";
const STRIPE_FRAMES: &str = "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com";
const STRIPE_CALLS: &str = "https://api.stripe.com";

const NOTHING: &str = "camera=(), geolocation=(), microphone=(), usb=(), browsing-topics=()";
const CAMERA_ONLY: &str = "camera=(self), geolocation=(), microphone=(), usb=(), browsing-topics=()";

const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The headers of a page. `frames` are the origins from which its map may be embedded.
pub fn of_page(policy: Policy, frames: &str) -> HeaderMap {
    let (scripts, calls, frames) = match policy {
        Policy::Site => ("", "", frames.to_owned()),
        Policy::Door => ("", "", String::new()),
        Policy::Entry => (STRIPE_SCRIPTS, STRIPE_CALLS, STRIPE_FRAMES.to_owned()),
        // Emails are shown in frames. They come from our own origin, with a policy that forbids scripts.
        Policy::Organiser => ("", "", "'self'".to_owned()),
    };
    let frames = if frames.is_empty() { "'none'".to_owned() } else { frames };
    let csp = format!(
        "default-src 'none'; script-src 'self' {scripts}; style-src 'self'; img-src 'self' data:; \
         media-src 'self'; font-src 'self'; connect-src 'self' {calls}; frame-src {frames}; manifest-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let csp = csp.replace(" ;", ";");
    let mut headers = with_common(HeaderValue::from_str(&csp).expect("origins are visible ASCII"));
    if let Policy::Entry = policy {
        // Some payment methods open a window and report back from it.
        headers.insert(OPENER, HeaderValue::from_static("same-origin-allow-popups"));
    }
    if policy == Policy::Door {
        headers.insert(PERMISSIONS, HeaderValue::from_static(CAMERA_ONLY));
    }
    headers
}

/// The headers of a response that is not a page: nothing in it may run or load.
pub fn of_answer() -> HeaderMap {
    with_common(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"))
}

/// The headers of a service worker, whose own policy says what it may fetch.
pub fn of_service_worker() -> HeaderMap {
    with_common(HeaderValue::from_static("default-src 'none'; connect-src 'self'; frame-ancestors 'none'"))
}

fn with_common(policy: HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert(PERMISSIONS, HeaderValue::from_static(NOTHING));
    headers.insert(OPENER, HeaderValue::from_static("same-origin"));
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_allows_what_its_pages_need_and_no_more() {
        for (policy, stripe, map, permissions, opener) in [
            (Policy::Site, false, true, NOTHING, "same-origin"),
            (Policy::Entry, true, false, NOTHING, "same-origin-allow-popups"),
            (Policy::Door, false, false, CAMERA_ONLY, "same-origin"),
            (Policy::Organiser, false, false, NOTHING, "same-origin"),
        ] {
            let headers = of_page(policy, "https://maps.example.com");
            let csp = headers[CONTENT_SECURITY_POLICY].to_str().expect("ASCII");
            assert_eq!((csp.contains("stripe"), csp.contains("maps.example.com")), (stripe, map), "{csp}");
            assert!(!csp.contains("unsafe-inline"));
            assert!(csp.contains("script-src 'self'") && csp.contains("frame-ancestors 'none'"));
            assert!(headers[PERMISSIONS] == permissions && headers[OPENER] == opener, "{headers:?}");
        }
    }
}
