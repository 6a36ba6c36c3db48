//! Whose request it is: the peer's address, or the one that a trusted proxy forwards.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::Request;

use crate::config::TrustedProxies;

/// One client for the limits: an IPv4 address, or an IPv6 /64 (contract, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(pub IpAddr);

impl Client {
    /// The network that the client belongs to: an IPv4 /24 or an IPv6 /48, as they are handed out.
    pub fn network(self) -> Client {
        Client(match self.0 {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                IpAddr::from([a, b, c, 0])
            }
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                IpAddr::from([a, b, c, 0, 0, 0, 0, 0])
            }
        })
    }
}

/// The client of a request. `X-Forwarded-For` is read from its end, and only as long as the hop that
/// wrote it is a trusted proxy: everything before is the client's own invention.
pub fn address<B>(request: &Request<B>, peer: SocketAddr, trusted: &TrustedProxies) -> Client {
    let mut address = peer.ip().to_canonical();
    let forwarded: Vec<&str> = request
        .headers()
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    for hop in forwarded.iter().rev() {
        if !trusted.contains(address) {
            break;
        }
        match hop.parse::<IpAddr>() {
            Ok(hop) => address = hop.to_canonical(),
            Err(_) => break,
        }
    }
    Client(network(address))
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let trusted = TrustedProxies::parse(&["10.0.0.0/8".into(), "::1".into()]).expect("networks");
        let cases = [
            ("203.0.113.9:1", "198.51.100.7", "203.0.113.9"),
            ("10.1.2.3:1", "198.51.100.7", "198.51.100.7"),
            ("10.1.2.3:1", "6.6.6.6, 198.51.100.7, 10.0.0.9", "198.51.100.7"),
            ("[::1]:1", "nonsense", "::"),
            ("[::1]:1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("[::ffff:10.0.0.1]:1", "198.51.100.7", "198.51.100.7"),
        ];
        for (peer, forwarded, expected) in cases {
            let request =
                Request::builder().header("x-forwarded-for", forwarded).body(()).expect("a request");
            let client = address(&request, peer.parse().expect("an address"), &trusted);
            assert_eq!(client.0.to_string(), expected, "{peer} {forwarded}");
        }
    }

    #[test]
    fn clients_of_one_network_have_one_network() {
        for (address, network) in [("198.51.100.7", "198.51.100.0"), ("2001:db8:1:2::", "2001:db8:1::")] {
            let client = Client(address.parse().expect("an address"));
            assert_eq!(client.network().0.to_string(), network);
        }
    }
}
