//! What every use case is handed: the settings, the store, the event's content and the made pages.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use ipnet::IpNet;

use crate::config::Config;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::render::Site;
use crate::store::Store;

pub struct App {
    pub config: Config,
    pub store: Store,
    pub trusted: TrustedProxies,
    /// `serve --demo`: plausible data, a test payment, no mail leaves.
    pub demo: bool,
    content: RwLock<Arc<Content>>,
    site: RwLock<Arc<Site>>,
}

impl App {
    /// An application without pages yet; `publish` makes them.
    ///
    /// # Errors
    /// [`Error::Failed`] when a setting makes no sense.
    pub fn new(config: Config, store: Store, content: Content, demo: bool) -> Result<App> {
        Ok(App {
            trusted: TrustedProxies::parse(&config.proxy.trusted)?,
            config,
            store,
            demo,
            content: RwLock::new(Arc::new(content)),
            site: RwLock::default(),
        })
    }

    /// The event's content as it is now.
    pub fn content(&self) -> Arc<Content> {
        Arc::clone(&self.content.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn set_content(&self, content: Arc<Content>) {
        *self.content.write().unwrap_or_else(PoisonError::into_inner) = content;
    }

    /// The pages as they are now.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.site.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn set_site(&self, site: Site) {
        *self.site.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(site);
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

/// The networks whose forwarded addresses are believed.
#[derive(Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// # Errors
    /// [`Error::Failed`] names what is neither an address nor a network.
    pub fn parse(written: &[String]) -> Result<TrustedProxies> {
        let network = |text: &String| {
            text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
                Error::Failed(format!(
                    "proxy.trusted: '{text}' is neither an address nor a network like 10.0.0.0/8."
                ))
            })
        };
        written.iter().map(network).collect::<Result<Vec<_>>>().map(TrustedProxies)
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}
