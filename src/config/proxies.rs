//! The proxies that may forward a client's address.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use ipnet::IpNet;

use crate::error::{Error, Result};

/// The networks whose `X-Forwarded-For` is trusted.
#[derive(Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
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

/// Detects a proxy that is missing in `proxy.trusted`: requests come from this machine or its private network with
/// `X-Forwarded-For`, and none has come from a public address.
#[derive(Debug, Default)]
pub struct UntrustedProxy {
    address: OnceLock<IpAddr>,
    has_public_peers: AtomicBool,
}

impl UntrustedProxy {
    /// Records the untrusted peer of a request. Returns whether this is the first time that a proxy was detected.
    pub fn record_peer(&self, peer: IpAddr, is_forwarded: bool) -> bool {
        let peer = peer.to_canonical();
        if !is_private(peer) {
            self.has_public_peers.store(true, Ordering::Relaxed);
        }
        is_forwarded && !self.has_public_peers.load(Ordering::Relaxed) && self.address.set(peer).is_ok()
    }

    pub fn address(&self) -> Option<IpAddr> {
        self.address.get().copied().filter(|_| !self.has_public_peers.load(Ordering::Relaxed))
    }

    /// The message for the organiser.
    pub fn sentence(&self) -> Option<String> {
        self.address().map(untrusted_sentence)
    }
}

/// The sentence that a proxy is not trusted, and what to do.
pub fn untrusted_sentence(address: IpAddr) -> String {
    format!(
        "Requests arrive through a proxy at {address} that is not in proxy.trusted; all visitors share one limit. Set trusted = [\"{address}\"] under [proxy] in the settings, and restart."
    )
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [a, b, ..] = address.octets();
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                // Shared address space (RFC 6598).
                || a == 100 && (64..128).contains(&b)
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_proxy_is_detected_once_and_only_if_no_request_came_from_a_public_address() {
        for peer in ["127.0.0.1", "172.17.0.1", "::ffff:10.0.0.1", "fd00::1", "100.64.0.1"] {
            let proxy = UntrustedProxy::default();
            assert!(!proxy.record_peer(address(peer), false) && proxy.address().is_none(), "{peer}");
            assert!(
                proxy.record_peer(address(peer), true) && !proxy.record_peer(address(peer), true),
                "{peer}"
            );
            assert_eq!(proxy.address(), Some(address(peer).to_canonical()));
            // Visitors connect directly, so their headers are forged.
            proxy.record_peer(address("203.0.113.7"), false);
            assert_eq!(proxy.sentence(), None, "{peer}");
        }
        let proxy = UntrustedProxy::default();
        assert!(
            !proxy.record_peer(address("203.0.113.7"), true)
                && !proxy.record_peer(address("127.0.0.1"), true)
        );
    }
}
