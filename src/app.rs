//! What every use case is handed: the settings, the store, the event's content and the made pages.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::config::{Config, TrustedProxies, UntrustedProxy};
use crate::error::Result;
use crate::ops::health::status::Condition;
use crate::payments::provider::{Provider, Turns, UnpaidIntents};
use crate::site::content::Content;
use crate::site::render::{Pictures, Site};
use crate::store::Store;
use crate::store::content_revisions::Edition;

/// Where `doctor` leaves the word by which the server knows it, and the header in which it says it.
pub const DOCTOR_TOKEN: &str = "doctor.token";
pub const DOCTOR_HEADER: &str = "x-showcase-doctor";

pub struct App {
    pub config: Config,
    pub store: Store,
    pub trusted: TrustedProxies,
    pub untrusted_proxy: UntrustedProxy,
    /// Why nothing is taken in, while that is so.
    pub condition: Condition,
    pub payments: Provider,
    /// One request at a time about one entry's payment.
    pub payment_turns: Turns,
    pub unpaid_intents: Arc<UnpaidIntents>,
    /// The server has started and not yet tried the backup that is due since.
    pub backup_is_to_come: AtomicBool,
    /// Set once the shared password was compared with the one of the last run: its Argon2id hash where the
    /// configuration gives the password itself.
    pub password_in_use: OnceLock<Option<String>>,
    /// Held while that comparison is made.
    pub comparing_password: Mutex<()>,
    /// Clients' connections that have ended since the start: each may have left memory that can be given back.
    pub connections_ended: AtomicU64,
    /// `serve --demo`: plausible data, a test payment, no mail leaves.
    pub demo: bool,
    /// Read by every request: no reader waits for another, or for who swaps it.
    shown: ArcSwap<Shown>,
}

/// What visitors see, swapped as one.
#[derive(Clone)]
pub struct Shown {
    pub content: Arc<Content>,
    pub pictures: Arc<Pictures>,
    pub site: Arc<Site>,
    /// The event's calendar file; empty while there are no pages.
    pub calendar: Arc<str>,
    /// The revision of the content, 0 for the compiled-in default.
    pub revision: i64,
    pub basis: Basis,
}

/// What pages are made of, to notice that they would come out another way by now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// What the database held.
    pub edition: Edition,
    /// What the pages knew of the server, such as which forms are open.
    pub facts: Value,
}

impl App {
    /// An application without pages yet; `publish` makes them.
    ///
    /// # Errors
    /// [`Error::Failed`] when a setting makes no sense.
    pub fn new(config: Config, store: Store, content: Content, demo: bool) -> Result<App> {
        Ok(App {
            trusted: TrustedProxies::parse(&config.proxy.trusted)?,
            untrusted_proxy: UntrustedProxy::default(),
            condition: Condition::default(),
            payments: Provider::new(&config.stripe, demo)?,
            payment_turns: Turns::default(),
            unpaid_intents: Arc::new(UnpaidIntents::new(
                config.limits.unpaid_payments_per_network,
                config.limits.unpaid_payments,
            )),
            backup_is_to_come: AtomicBool::new(false),
            password_in_use: OnceLock::new(),
            comparing_password: Mutex::default(),
            connections_ended: AtomicU64::new(0),
            config,
            store,
            demo,
            shown: ArcSwap::from_pointee(Shown {
                content: Arc::new(content),
                pictures: Arc::default(),
                site: Arc::default(),
                calendar: Arc::from(""),
                revision: 0,
                basis: Basis::default(),
            }),
        })
    }

    /// The event's content as it is now.
    pub fn content(&self) -> Arc<Content> {
        Arc::clone(&self.shown.load().content)
    }

    /// The pages as they are now.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.shown.load().site)
    }

    /// Looks at the pages without sharing them: two threads that count one owner up and down wait for each other.
    pub fn with_site<T>(&self, look: impl FnOnce(&Site) -> T) -> T {
        look(&self.shown.load().site)
    }

    pub fn shown(&self) -> Shown {
        Shown::clone(&self.shown.load())
    }

    pub fn show(&self, shown: Shown) {
        self.shown.store(Arc::new(shown));
    }

    /// Puts `better` in the place of `site`, unless another one is shown by now.
    pub fn replace_site(&self, site: &Arc<Site>, better: Site) {
        let better = Arc::new(better);
        self.shown.rcu(|shown| {
            let mut shown = Shown::clone(shown);
            if Arc::ptr_eq(&shown.site, site) {
                shown.site = Arc::clone(&better);
            }
            shown
        });
    }

    /// The instant that the site speaks of: a demonstration shows it as of a day in its selling season.
    pub fn site_time(&self, content: &Content, now: DateTime<Utc>) -> DateTime<Utc> {
        if self.demo { content.demo_time(now) } else { now }
    }

    /// The site's address as people type it, without a slash at the end.
    pub fn public_url(&self) -> String {
        match (self.config.public_url.as_str(), self.config.tls.domains.first()) {
            ("", Some(domain)) => format!("https://{domain}"),
            ("", None) => format!("http://{}", self.config.listen),
            (url, _) => url.to_owned(),
        }
    }
}
