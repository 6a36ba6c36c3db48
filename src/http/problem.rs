//! Maps every error to `application/problem+json` (RFC 9457).

use http::StatusCode;
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use crate::error::Error;

impl Reply for Error {
    fn into_response(self) -> Response {
        let status = status(&self);
        if let Some(cause) = self.cause() {
            tracing::error!(status = status.as_u16(), "{cause}");
        }
        let mut problem = body(status, &self.to_string());
        if let Error::Invalid(errors) = &self {
            problem["errors"] = json!(errors);
        }
        if let Some(code) = code(&self) {
            problem["code"] = json!(code);
        }
        let mut response = response(status, &problem);
        let headers = response.headers_mut();
        match self {
            Error::MethodNotAllowed(allowed) => {
                headers.insert(ALLOW, HeaderValue::try_from(allowed).expect("names of methods"));
            }
            Error::WrongOffset(offset) => {
                headers.insert("upload-offset", HeaderValue::from(offset));
            }
            Error::TooMany(seconds) | Error::TooManyUnknown(seconds) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
            }
            Error::TooManyUnpaid | Error::PaymentsBusy => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("3600"));
            }
            Error::Unavailable(_) | Error::Crowded => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
            }
            Error::ReadOnly(_) | Error::Damaged(_) => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("120"));
            }
            _ => {}
        }
        response
    }
}

/// The problem document, without the fields that only some errors have.
pub fn body(status: StatusCode, detail: &str) -> Value {
    json!({
        "type": "about:blank",
        "title": status.canonical_reason().unwrap_or("Error"),
        "status": status.as_u16(),
        "detail": detail,
    })
}

/// The response with a problem document.
pub fn response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(body.to_string().into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}

/// Tells apart errors with the same status, for programs.
fn code(error: &Error) -> Option<&'static str> {
    match error {
        Error::PasswordRequired => Some("password_required"),
        Error::TermsRequired => Some("terms_required"),
        Error::Complimentary => Some("complimentary"),
        Error::NotBeingJudged => Some("not_being_judged"),
        _ => None,
    }
}

pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::Malformed(_) => StatusCode::BAD_REQUEST,
        Error::Unauthorised(_) => StatusCode::UNAUTHORIZED,
        Error::Forbidden(_) | Error::PasswordRequired | Error::TermsRequired => StatusCode::FORBIDDEN,
        Error::NotFound(_) => StatusCode::NOT_FOUND,
        Error::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
        Error::Timeout => StatusCode::REQUEST_TIMEOUT,
        Error::Conflict(_) | Error::Complimentary | Error::NotBeingJudged | Error::WrongOffset(_) => {
            StatusCode::CONFLICT
        }
        Error::Gone(_) => StatusCode::GONE,
        Error::Closed(_) => StatusCode::LOCKED,
        Error::Changed => StatusCode::PRECONDITION_FAILED,
        Error::TooLarge(_) | Error::BatchTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Error::HeadersTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        Error::UnsupportedMediaType | Error::Unsupported(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Error::TooMany(_) | Error::TooManyUnknown(_) | Error::TooManyUnpaid | Error::PaymentsBusy => {
            StatusCode::TOO_MANY_REQUESTS
        }
        Error::MailRefused(_) | Error::ProviderFailed(_) | Error::ProviderFailedUnstored(_) => {
            StatusCode::BAD_GATEWAY
        }
        Error::ProviderSlow | Error::ProviderSlowUnstored => StatusCode::GATEWAY_TIMEOUT,
        Error::PaymentsOff
        | Error::Crowded
        | Error::ReadOnly(_)
        | Error::Unavailable(_)
        | Error::Damaged(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Failed(_) | Error::Io { .. } | Error::Locked(_) | Error::Internal(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
