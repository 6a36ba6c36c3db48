//! The client address of a request: the peer's, or the one that a trusted proxy forwards.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::Request;

use crate::config::TrustedProxies;
use crate::error::{Error, Result};

/// The unit by which the limits count: an IPv4 address or an IPv6 /64 (docs/reference.md, "Settings").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(pub IpAddr);

impl Client {
    pub fn new(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }

    /// The client's network: an IPv4 /24 or an IPv6 /48, the usual sizes that providers assign.
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

/// The client of a request. `X-Forwarded-For` is read from its end, for as long as the hop that wrote it is a
/// trusted proxy. The client may have forged everything before that, so it is ignored.
///
/// # Errors
/// [`Error::Malformed`] when a trusted proxy has written something that is not an address.
pub fn address<B>(request: &Request<B>, peer: SocketAddr, trusted: &TrustedProxies) -> Result<Client> {
    let mut address = peer.ip().to_canonical();
    let lines = request.headers().get_all("x-forwarded-for").iter().rev();
    for hop in lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b',')).map(<[u8]>::trim_ascii) {
        // Squid can be set to write "unknown" in place of the client's address.
        if !trusted.contains(address) || hop == b"unknown" {
            break;
        }
        // A list may have empty elements (RFC 9110, section 5.6.1).
        if !hop.is_empty() {
            address = forwarded(hop).ok_or_else(|| {
                Error::Malformed("The X-Forwarded-For of this request cannot be read.".into())
            })?;
        }
    }
    Ok(Client::new(address))
}

/// Parses a hop: an address, with or without a port, an IPv6 address with or without brackets.
fn forwarded(hop: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(hop).ok()?;
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip())).ok()?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The client of a request from `peer` with these `X-Forwarded-For` headers; `None` if it is refused.
    fn client(peer: &str, lines: &[&[u8]]) -> Option<String> {
        let trusted = TrustedProxies::parse(&["10.0.0.0/8".into(), "::1".into()]).expect("networks");
        let mut request = Request::builder();
        for line in lines {
            request = request.header("x-forwarded-for", *line);
        }
        let request = request.body(()).expect("a request");
        let client = address(&request, peer.parse().expect("an address"), &trusted);
        client.ok().map(|client| client.0.to_string())
    }

    #[test]
    fn only_a_trusted_proxy_may_forward_an_address() {
        let cases: [(&str, &[&[u8]], &str); 22] = [
            ("203.0.113.9:1", &[b"198.51.100.7"], "203.0.113.9"),
            ("203.0.113.9:1", &[b"nonsense"], "203.0.113.9"),
            ("10.1.2.3:1", &[], "10.1.2.3"),
            ("10.1.2.3:1", &[b""], "10.1.2.3"),
            ("10.1.2.3:1", &[b"198.51.100.7"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"6.6.6.6, 198.51.100.7, 10.0.0.9"], "198.51.100.7"),
            // Several headers are one list.
            ("10.1.2.3:1", &[b"6.6.6.6", b"198.51.100.7", b"10.0.0.9, 10.0.0.8"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"198.51.100.7, , ", b",10.0.0.9 ,\t"], "198.51.100.7"),
            // What an untrusted hop wrote is ignored, even if it is not text.
            ("10.1.2.3:1", &[b"nonsense, 198.51.100.7"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"\xff\xfe, 198.51.100.7"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"\xff", b"198.51.100.7"], "198.51.100.7"),
            // The address may have a port and be in brackets.
            ("10.1.2.3:1", &[b"6.6.6.6, 198.51.100.7:4711"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"198.51.100.7:1, 10.0.0.9:2"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"[2001:db8:1:2::3]:4711"], "2001:db8:1:2::"),
            ("10.1.2.3:1", &[b"[2001:db8:1:2::3]"], "2001:db8:1:2::"),
            ("[::1]:1", &[b"2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::"),
            ("[::1]:1", &[b"198.51.100.7, [::1]:9"], "198.51.100.7"),
            // IPv4 addresses written as IPv6.
            ("[::ffff:10.0.0.1]:1", &[b"198.51.100.7"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"198.51.100.7, ::ffff:10.0.0.9"], "198.51.100.7"),
            ("10.1.2.3:1", &[b"[::ffff:198.51.100.7]:80"], "198.51.100.7"),
            // A proxy that hides its client counts as the client.
            ("10.1.2.3:1", &[b"unknown"], "10.1.2.3"),
            ("10.1.2.3:1", &[b"198.51.100.7, unknown, 10.0.0.9"], "10.0.0.9"),
        ];
        for (peer, lines, expected) in cases {
            assert_eq!(client(peer, lines).as_deref(), Some(expected), "{peer} {lines:?}");
        }
    }

    #[test]
    fn an_unreadable_address_from_a_trusted_proxy_is_refused() {
        let cases: [&[u8]; 9] = [
            b"nonsense",
            b"198.51.100.7, \xff",
            b"198.51.100.7, nonsense, 10.0.0.9",
            b"198.51.100.7:",
            b"198.51.100.7:99999",
            b"[198.51.100.7",
            b"198.51.100.7 10.0.0.9",
            b"2001:db8::1]:80",
            b"<script>",
        ];
        for line in cases {
            assert_eq!(client("10.1.2.3:1", &[line]), None, "{line:?}");
        }
    }

    #[test]
    fn a_client_belongs_to_a_24_or_48_network() {
        for (address, network) in [("198.51.100.7", "198.51.100.0"), ("2001:db8:1:2::", "2001:db8:1::")] {
            let client = Client(address.parse().expect("an address"));
            assert_eq!(client.network().0.to_string(), network);
        }
    }
}
