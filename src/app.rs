//! The application that every use case is given: settings, store, content, rendered pages and payment provider.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::config::{Config, TrustedProxies, UntrustedProxy};
use crate::error::Result;
use crate::model::Kind;
use crate::ops::health::status::Health;
use crate::payments::provider::{Demo, EntryLocks, Provider, UnpaidIntents};
use crate::site::content::Content;
use crate::site::render::{Pictures, Site};
use crate::store::Store;
use crate::store::content_revisions::ContentVersion;
use crate::store::sessions::UnsavedSessions;
use crate::time;

/// The stored setting that holds `doctor`'s one-time token.
pub const DOCTOR_TOKEN: &str = "doctor.token";
/// The request header in which `doctor` sends its token.
pub const DOCTOR_HEADER: &str = "x-showcase-doctor";

pub struct App {
    pub config: Config,
    pub store: Store,
    pub trusted_proxies: TrustedProxies,
    pub untrusted_proxy: UntrustedProxy,
    pub health: Health,
    pub payments: Provider,
    /// Locks that allow one request at a time for each entry's payment.
    pub entry_locks: EntryLocks,
    pub unpaid_intents: Arc<UnpaidIntents>,
    /// The server has started but not yet attempted a backup.
    pub backup_is_pending: AtomicBool,
    /// Set once the shared password was compared with that of the last run. It holds the Argon2id hash if the
    /// configuration has the password as plain text.
    pub password_in_use: OnceLock<Option<String>>,
    /// Held during that comparison.
    pub password_comparison: Mutex<()>,
    pub unsaved_sessions: UnsavedSessions,
    /// Held while pages are rendered and swapped in.
    pub publishing: Mutex<()>,
    /// `serve --demo`: sample data, a test payment, no emails.
    pub demo: bool,
    /// Read by every request, so it is read and swapped without locks.
    published: ArcSwap<Published>,
}

/// What visitors see. Swapped as a whole.
#[derive(Clone)]
pub struct Published {
    pub content: Arc<Content>,
    pub pictures: Arc<Pictures>,
    pub site: Arc<Site>,
    /// The event's calendar file; empty before the pages are rendered.
    pub calendar: Arc<str>,
    /// The revision of the content; 0 is the compiled-in default.
    pub revision: i64,
    pub fingerprint: Fingerprint,
}

/// The inputs of the pages, to notice when they have to be rendered again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Of the content and the pictures in the database.
    pub version: ContentVersion,
    /// Other facts that pages show, such as which forms are open.
    pub facts: Value,
}

impl App {
    /// An application without pages; `publish` renders them.
    ///
    /// # Errors
    /// [`crate::error::Error::Failed`] when a setting is invalid.
    pub fn new(config: Config, store: Store, content: Content) -> Result<App> {
        let payments = Provider::new(&config.stripe)?;
        App::with_provider(config, store, content, payments)
    }

    /// As [`App::new`], for `serve --demo`.
    pub fn for_demo(config: Config, store: Store, content: Content) -> Result<App> {
        App::with_provider(config, store, content, Provider::Demo(Demo::default()))
    }

    fn with_provider(config: Config, store: Store, content: Content, payments: Provider) -> Result<App> {
        Ok(App {
            trusted_proxies: TrustedProxies::parse(&config.proxy.trusted)?,
            untrusted_proxy: UntrustedProxy::default(),
            health: Health::default(),
            demo: matches!(payments, Provider::Demo(_)),
            payments,
            entry_locks: EntryLocks::default(),
            unpaid_intents: Arc::new(UnpaidIntents::new(
                config.limits.unpaid_payments_per_network,
                config.limits.unpaid_payments,
            )),
            backup_is_pending: AtomicBool::new(false),
            password_in_use: OnceLock::new(),
            password_comparison: Mutex::default(),
            unsaved_sessions: UnsavedSessions::default(),
            publishing: Mutex::default(),
            config,
            store,
            published: ArcSwap::from_pointee(Published {
                content: Arc::new(content),
                pictures: Arc::default(),
                site: Arc::default(),
                calendar: Arc::from(""),
                revision: 0,
                fingerprint: Fingerprint::default(),
            }),
        })
    }

    /// The current content.
    pub fn content(&self) -> Arc<Content> {
        Arc::clone(&self.published.load().content)
    }

    /// The current pages.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.published.load().site)
    }

    /// Reads the current pages without cloning the `Arc`, which avoids contention on its reference count.
    pub fn with_site<T>(&self, read: impl FnOnce(&Site) -> T) -> T {
        read(&self.published.load().site)
    }

    pub fn published(&self) -> Published {
        Published::clone(&self.published.load())
    }

    pub fn set_published(&self, published: Published) {
        self.published.store(Arc::new(published));
    }

    /// Whether the entry page can take a payment. Stripe's card form in the browser needs the publishable key too.
    pub fn takes_payments(&self) -> bool {
        match &self.payments {
            Provider::Off => false,
            Provider::Stripe(_) => !self.config.stripe.publishable_key.is_empty(),
            Provider::Demo(_) => true,
        }
    }

    /// As [`Content::due_before`], by the current content.
    pub fn due_before(&self, kind: Kind, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let content = self.content();
        content.due_before(kind, now)
    }

    /// The banner that every page of the demo has, as `ui/src/app/site.tsx` shows it on those of the site.
    pub fn demo_banner(&self) -> Option<String> {
        if !self.demo {
            return None;
        }
        let content = self.content();
        let banner = "Demonstration: nothing here is real, no card is charged.";
        Some(match content.event.demo_day {
            Some(_) => format!("{banner} Shown as of {}.", content.today(time::now()).format("%B %-d, %Y")),
            None => banner.to_owned(),
        })
    }

    /// The site's address, without a trailing slash.
    pub fn public_url(&self) -> String {
        match (self.config.public_url.as_str(), self.config.tls.domains.first()) {
            ("", Some(domain)) => format!("https://{domain}"),
            ("", None) => format!("http://{}", self.config.listen),
            (url, _) => url.to_owned(),
        }
    }
}

#[cfg(test)]
impl App {
    /// An application with the default content and an empty database, which is deleted when the folder is dropped.
    pub fn for_test(config: Config) -> (tempfile::TempDir, App) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        crate::store::migrate::migrate(&path).expect("a database");
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let store = Store::open(&path).expect("a store");
        (folder, App::new(config, store, content).expect("an application"))
    }
}
