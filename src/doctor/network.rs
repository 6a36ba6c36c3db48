//! The clock, the site's names, and whether its ports can be had and reached.

use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};

use chrono::{DateTime, Utc};

use super::{Finding, web};
use crate::certificates;
use crate::config::Config;

/// Payments and certificates are refused when clocks differ by minutes.
const LARGEST_DIFFERENCE: i64 = 60;

/// Compares the clock with the date of an HTTP answer.
pub fn clock(config: &Config) -> Vec<Finding> {
    let directory = certificates::directory(&config.tls);
    let with_payments = !config.stripe.secret_key.is_empty();
    let payments = with_payments.then_some(config.stripe.api_base.as_str());
    for address in payments.into_iter().chain([directory]) {
        let Some(theirs) = date_of(address, &config.tls.ca_file) else { continue };
        let difference = (Utc::now() - theirs).num_seconds();
        let host = url::Url::parse(address)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default();
        if difference.abs() <= LARGEST_DIFFERENCE {
            return vec![Finding::good("clock", format!("agrees with that of {host}"))];
        }
        let direction = if difference > 0 { "ahead of" } else { "behind" };
        return vec![Finding::problem(
            "clock",
            format!(
                "This machine's clock is {} seconds {direction} that of {host}: reports, certificates and payments go wrong. Switch time synchronisation on (`timedatectl set-ntp true`).",
                difference.abs()
            ),
        )];
    }
    vec![Finding::note("clock", "It could not be compared: no machine on the Internet answered.")]
}

fn date_of(address: &str, ca_file: &str) -> Option<DateTime<Utc>> {
    let answer = web::agent(ca_file).get(address).call().ok()?;
    let date = answer.headers().get("date")?.to_str().ok()?;
    Some(DateTime::parse_from_rfc2822(date).ok()?.to_utc())
}

pub fn names_and_ports(config: &Config) -> Vec<Finding> {
    if !config.tls.is_on() {
        return vec![port("listen", config.listen)];
    }
    let mut found = Vec::new();
    // Held while the names are looked at, so that a connection to them can arrive.
    let held =
        [Some(("tls.listen", config.tls.listen)), config.tls.http_listen.map(|at| ("tls.http_listen", at))]
            .into_iter()
            .flatten()
            .map(|(setting, address)| (setting, address, TcpListener::bind(address)))
            .collect::<Vec<_>>();
    for (setting, address, bound) in &held {
        found.push(judge_port(setting, *address, bound));
    }
    for domain in &config.tls.domains {
        match web::addresses(domain, config.tls.listen.port()) {
            Err(reason) => found.push(Finding::problem(
                "names",
                format!("{domain} has no address that can be found here ({reason}). Make an A record for it that names this machine."),
            )),
            Ok(addresses) => found.extend(judge_addresses(config, domain, &addresses)),
        }
    }
    found
}

fn port(setting: &str, address: SocketAddr) -> Finding {
    judge_port(setting, address, &TcpListener::bind(address))
}

fn judge_port(setting: &str, address: SocketAddr, bound: &std::io::Result<TcpListener>) -> Finding {
    use std::io::ErrorKind::{AddrInUse, PermissionDenied};
    match bound.as_ref().map_err(std::io::Error::kind) {
        Ok(_) => Finding::good("ports", format!("{address} is free for {setting}")),
        Err(AddrInUse) => {
            let is_ours = says_alive(address);
            let words = format!("{address} ({setting}) is in use");
            match is_ours {
                true => Finding::good("ports", format!("{words}, by a showcase that answers")),
                false => {
                    Finding::note("ports", format!("{words}: by a running showcase, else stop what uses it."))
                }
            }
        }
        Err(PermissionDenied) => Finding::note(
            "ports",
            format!(
                "This user may not listen on {address} ({setting}); the unit that `showcase systemd` prints may."
            ),
        ),
        Err(_) => Finding::problem(
            "ports",
            format!("{address} ({setting}) is no address of this machine. Write 0.0.0.0 for all of them."),
        ),
    }
}

fn says_alive(address: SocketAddr) -> bool {
    let mut answer = match web::agent("").get(format!("http://{address}/healthz")).call() {
        Ok(answer) => answer,
        Err(_) => return false,
    };
    answer.body_mut().with_config().limit(100).read_to_string().is_ok_and(|body| body.starts_with("alive"))
}

fn judge_addresses(config: &Config, domain: &str, addresses: &[SocketAddr]) -> Vec<Finding> {
    let mut found = Vec::new();
    let listed = addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>().join(", ");
    let has_six = addresses.iter().any(|address| address.is_ipv6());
    if has_six && config.tls.listen.is_ipv4() {
        found.push(Finding::problem(
            "names",
            format!("{domain} has an IPv6 address, and tls.listen takes IPv4 alone: certificate authorities and visitors try IPv6 first. Set tls.listen = \"[::]:443\" and tls.http_listen = \"[::]:80\", or remove the AAAA record."),
        ));
    }
    let reached = addresses.iter().any(|address| TcpStream::connect_timeout(address, web::PATIENCE).is_ok());
    let is_here = addresses.iter().any(|address| own_addresses().contains(&address.ip()));
    found.push(match (reached, is_here) {
        (true, _) => Finding::good("names", format!("{domain} is {listed} and can be reached")),
        (false, true) => Finding::problem(
            "names",
            format!("{domain} is this machine ({listed}), and port {} cannot be reached: open it in the firewall.", config.tls.listen.port()),
        ),
        (false, false) => Finding::note(
            "names",
            format!("{domain} is {listed}, which is no address of this machine, and could not be reached from here. Behind a router or a CDN that may be right; if not, mend the A record. Look from elsewhere too."),
        ),
    });
    found
}

/// The addresses from which this machine speaks to the Internet; no byte is sent.
fn own_addresses() -> Vec<IpAddr> {
    [("0.0.0.0:0", "192.0.2.1:9"), ("[::]:0", "[2001:db8::1]:9")]
        .into_iter()
        .filter_map(|(from, to)| {
            let socket = UdpSocket::bind(from).ok()?;
            socket.connect(to).ok()?;
            socket.local_addr().ok().map(|address| address.ip())
        })
        .chain([IpAddr::from([127, 0, 0, 1])])
        .collect()
}
