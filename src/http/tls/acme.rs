//! Orders the site's certificate from a certificate authority and renews it (ACME, RFC 8555).
//!
//! The library has no timeout, so we start over when the authority stops answering. It also retries within seconds,
//! for which authorities block clients for an hour, so we use longer pauses.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rustls::ClientConfig;
use rustls_acme::{
    AccountCache, AcmeConfig, AcmeState, CertCache, EventError, EventOk, OrderError, UseChallenge,
};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt;

use super::Certificates;
use crate::app::App;
use crate::config;
use crate::error::{Error, Result};
use crate::http::blocking::blocking;
use crate::ops::certificates;
use crate::store::tls_cache::{self, ACCOUNT, CERTIFICATE};
use crate::time;

/// While a certificate is due, the client is restarted after this long without an event.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// How often the client is restarted: its timer for the renewal stops while the machine sleeps.
const RESTART_AFTER: Duration = Duration::from_secs(12 * 60 * 60);
/// Seconds until the next attempt, by the number of failures so far; the last value repeats.
const PAUSES: [u64; 5] = [60, 300, 900, 3600, 6 * 3600];

/// How often an order is repeated at once because the authority has refused a nonce, which happens when the authority
/// restarts or has several machines. RFC 8555, section 6.5, wants the request repeated; the library gives up.
const NONCE_RETRIES: usize = 10;

/// The shortest pause after the authority has answered 429 (too many requests).
const RATE_LIMITED_PAUSE: Duration = Duration::from_secs(3600);

type Client = AcmeState<Error, Error>;

/// The attempts since the last certificate.
#[derive(Default)]
struct Attempts {
    failed: usize,
    /// Refused nonces since the last failure.
    refused_nonces: usize,
}

/// Keeps the site's certificate valid for as long as the server runs. `retry_now` ends a pause.
pub async fn keep_certified(app: Arc<App>, certificates: Arc<Certificates>, retry_now: Arc<Notify>) {
    let mut attempts = Attempts::default();
    loop {
        let client = match client(&app) {
            Ok(client) => client,
            Err(error) => {
                tracing::error!("{error}");
                return;
            }
        };
        certificates.set_running(client.resolver());
        run_client(&app, client, &certificates, &retry_now, &mut attempts).await;
    }
}

/// Runs one client until it must be restarted.
async fn run_client(
    app: &Arc<App>,
    mut client: Client,
    certificates: &Certificates,
    retry_now: &Notify,
    attempts: &mut Attempts,
) {
    let started = Instant::now();
    while started.elapsed() < RESTART_AFTER {
        match timeout(SILENCE_TIMEOUT, client.next()).await {
            Ok(Some(Ok(event))) => {
                handle(&event, certificates);
                if matches!(event, EventOk::DeployedNewCert) {
                    *attempts = Attempts::default();
                }
            }
            Ok(Some(Err(EventError::Order(error))))
                if is_refused_nonce(&error) && attempts.refused_nonces < NONCE_RETRIES =>
            {
                attempts.refused_nonces += 1;
                return;
            }
            Ok(Some(Err(EventError::Order(error)))) => {
                let pause = pause_after(&error, attempts.failed);
                *attempts = Attempts { failed: attempts.failed + 1, refused_nonces: 0 };
                tracing::error!(
                    "the certificate authority issued no certificate: {}. The next attempt is in {} min; \
                     `showcase doctor` helps to find the reason, SIGHUP retries at once",
                    describe(&error),
                    pause.as_secs() / 60
                );
                tokio::select! {
                    () = sleep(pause) => {}
                    () = retry_now.notified() => {}
                }
                // Continuing would add the library's own pause.
                return;
            }
            // The cache in the database failed; the client continues without it.
            Ok(Some(Err(error))) => tracing::error!("HTTPS: {error}"),
            Ok(None) => return,
            Err(_) if is_due(app) => {
                tracing::warn!("the certificate authority does not answer; starting over");
                return;
            }
            Err(_) => {}
        }
    }
}

fn handle(event: &EventOk, certificates: &Certificates) {
    match event {
        EventOk::DeployedCachedCert => {
            certificates.serve_running();
            tracing::info!("serving the stored certificate");
        }
        EventOk::DeployedNewCert => {
            certificates.serve_running();
            tracing::info!("serving a new certificate");
        }
        EventOk::CertCacheStore => tracing::info!("the certificate is stored in the database"),
        EventOk::AccountCacheStore => tracing::debug!("the account's key is stored in the database"),
    }
}

fn is_due(app: &App) -> bool {
    app.store
        .read(|connection| certificates::validity(&app.config.tls, connection))
        .ok()
        .flatten()
        .is_none_or(|validity| validity.is_due(time::now()))
}

fn is_refused_nonce(error: &OrderError) -> bool {
    // The library exposes the authority's answer only in its message.
    error.to_string().contains("urn:ietf:params:acme:error:badNonce")
}

fn pause_after(error: &OrderError, failures: usize) -> Duration {
    let pause = Duration::from_secs(PAUSES[failures.min(PAUSES.len() - 1)]);
    // The library exposes the status only in its message.
    if error.to_string().contains("http status: 429") { pause.max(RATE_LIMITED_PAUSE) } else { pause }
}

/// The authority's own explanation, if it gave one.
fn describe(error: &OrderError) -> String {
    match error {
        OrderError::BadAuth(auth) => {
            let detail =
                auth.challenges.iter().find_map(|challenge| challenge.error.as_ref()?.detail.clone());
            detail.unwrap_or_else(|| "it could not verify that the name is ours".to_owned())
        }
        other => {
            let message = other.to_string();
            problem_detail(&message).or_else(|| connection_failure(&message)).unwrap_or(message)
        }
    }
}

/// The detail in a refusal: `… http status: 429 "{\"detail\": …}"`.
fn problem_detail(message: &str) -> Option<String> {
    let (status, body) = message.split_once("http status: ")?.1.split_once(' ')?;
    let body: String = serde_json::from_str(body).ok()?;
    let body: serde_json::Value = serde_json::from_str(&body).ok()?;
    Some(format!("it answered {status}, {}", body["detail"].as_str()?))
}

/// Why the connection failed. The library's message is the `Debug` form of its types, in which the system's own message
/// is quoted.
fn connection_failure(message: &str) -> Option<String> {
    let debug = message.split_once("ConnectError(")?.1;
    if debug.contains("InvalidCertificate") {
        return Some(
            "its own certificate is not trusted: check the clock and, for a private authority, tls.ca_file"
                .to_owned(),
        );
    }
    Some(format!("it could not be reached: {}", debug.split('"').nth(1)?))
}

fn client(app: &Arc<App>) -> Result<Client> {
    let tls = &app.config.tls;
    let contact = (!tls.contact.is_empty()).then(|| format!("mailto:{}", tls.contact));
    let challenge = if tls.challenge == config::Challenge::Http01 {
        UseChallenge::Http01
    } else {
        UseChallenge::TlsAlpn01
    };
    Ok(AcmeConfig::new_with_client_config(&tls.domains, Arc::new(client_config(&tls.ca_file)?))
        .cache(DatabaseCache(Arc::clone(app)))
        .directory(certificates::directory(tls))
        .contact(contact)
        .challenge_type(challenge)
        .state())
}

fn client_config(ca_file: &str) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(format!("TLS: {error}")))?
        .with_root_certificates(certificates::roots(ca_file)?)
        .with_no_client_auth())
}

/// Stores certificates and the account's key in the database.
struct DatabaseCache(Arc<App>);

impl DatabaseCache {
    async fn load(&self, kind: &'static str, key: String) -> Result<Option<Vec<u8>>> {
        blocking(&self.0, move |app| app.store.read(|connection| tls_cache::get(connection, kind, &key)))
            .await
    }

    async fn store(&self, kind: &'static str, key: String, value: &[u8]) -> Result<()> {
        let value = value.to_vec();
        let now = time::stored(time::now());
        blocking(&self.0, move |app| {
            app.store.write(|connection| tls_cache::set(connection, kind, &key, &value, &now))
        })
        .await
    }
}

#[async_trait]
impl CertCache for DatabaseCache {
    type EC = Error;

    async fn load_cert(&self, domains: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(CERTIFICATE, certificates::key(directory, domains)).await
    }

    async fn store_cert(&self, domains: &[String], directory: &str, pem: &[u8]) -> Result<()> {
        self.store(CERTIFICATE, certificates::key(directory, domains), pem).await
    }
}

#[async_trait]
impl AccountCache for DatabaseCache {
    type EA = Error;

    async fn load_account(&self, contact: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(ACCOUNT, certificates::key(directory, contact)).await
    }

    async fn store_account(&self, contact: &[String], directory: &str, key: &[u8]) -> Result<()> {
        self.store(ACCOUNT, certificates::key(directory, contact), key).await
    }
}
