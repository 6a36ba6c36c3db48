//! The proxies that may forward a client's address.

use std::net::IpAddr;

use ipnet::IpNet;

use crate::error::{Error, Result};

/// The networks whose `X-Forwarded-For` is trusted.
#[derive(Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// # Errors
    /// [`Error::Failed`] names the entry that is neither an address nor a network.
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
