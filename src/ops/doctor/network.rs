//! Checks the clock, the site's DNS names and its ports.

use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::{Finding, Grade, web};
use crate::config::Config;
use crate::ops::certificates;

/// The largest acceptable clock difference, in seconds. A few minutes would break payments and certificates.
const MAX_DIFFERENCE: i64 = 60;

/// Compares the clock with the `Date` header of an HTTP response.
pub fn clock(config: &Config) -> Vec<Finding> {
    // The authorities in `ca_file` issue certificates for this site, not for the payment provider.
    let payments = (config.stripe.api_base.as_str(), web::agent());
    let directory = (certificates::directory(&config.tls), web::agent_trusting(&config.tls.ca_file));
    let has_payments = !config.stripe.secret_key.is_empty();
    for (address, agent) in has_payments.then_some(payments).into_iter().chain([directory]) {
        let Some(theirs) = date_of(address, &agent) else { continue };
        #[expect(clippy::disallowed_methods, reason = "the machine's clock is what is checked")]
        let difference = (Utc::now() - theirs).num_seconds();
        let host = url::Url::parse(address)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default();
        if difference.abs() <= MAX_DIFFERENCE {
            return vec![Finding::good(format!("agrees with that of {host}"))];
        }
        let direction = if difference > 0 { "ahead of" } else { "behind" };
        return vec![Finding::problem(format!(
            "This machine's clock is {} seconds {direction} that of {host}, which breaks reports, certificates and payments. Switch on time synchronisation (`timedatectl set-ntp true`).",
            difference.abs()
        ))];
    }
    vec![Finding::note("The clock could not be checked: no server on the Internet answered.")]
}

fn date_of(address: &str, agent: &ureq::Agent) -> Option<DateTime<Utc>> {
    let answer = agent.get(address).call().ok()?;
    let date = answer.headers().get("date")?.to_str().ok()?;
    Some(DateTime::parse_from_rfc2822(date).ok()?.to_utc())
}

/// Checks that a server can listen on its ports and that visitors can reach it. `is_served`: a server has the database
/// open.
pub fn names_and_ports(config: &Config, is_served: bool) -> Vec<Finding> {
    // Stay bound while the names are checked, so that a connection to them can arrive.
    let binds: Vec<BindAttempt> = config
        .listeners()
        .into_iter()
        .map(|(setting, address)| BindAttempt { setting, address, bound: TcpListener::bind(address) })
        .collect();
    let answers = binds.first().is_some_and(|site| site.is_in_use() && answers_health(config, site.address));
    // Two settings with one port are reported by the settings check; here the second conflicts only with our own bind.
    let conflicts_with_own = |index: usize| {
        let mut earlier = binds[..index].iter().filter(|earlier| earlier.bound.is_ok());
        binds[index].is_in_use()
            && earlier.any(|earlier| earlier.address.port() == binds[index].address.port())
    };
    let mut found: Vec<Finding> = (0..binds.len())
        .filter(|index| !conflicts_with_own(*index))
        .map(|index| binds[index].judge(answers, is_served, &config.database))
        .collect();
    let is_ours = found.iter().all(|finding| finding.grade != Grade::Problem);
    for domain in &config.tls.domains {
        match web::addresses(domain, config.tls.listen.port()) {
            Err(reason) => found.push(Finding::problem(format!("{domain} cannot be resolved from here ({reason}). Create an A record for it that points to this machine.")).about("names")),
            Ok(addresses) => found.extend(judge_addresses(config, domain, &addresses, is_ours)),
        }
    }
    found
}

/// The result of binding an address that the server listens on.
struct BindAttempt {
    setting: &'static str,
    address: SocketAddr,
    bound: std::io::Result<TcpListener>,
}

impl BindAttempt {
    fn is_in_use(&self) -> bool {
        self.bound.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
    }

    /// `answers`: a showcase answers at the site's address. `is_served`: a server has the database open.
    fn judge(&self, answers: bool, is_served: bool, database: &Path) -> Finding {
        use std::io::ErrorKind::{AddrInUse, PermissionDenied};
        let BindAttempt { setting, address, .. } = self;
        match (self.bound.as_ref().map_err(std::io::Error::kind), answers, is_served) {
            (Ok(_), ..) => Finding::good(format!("{address} is free for {setting}")),
            (Err(AddrInUse), true, true) => {
                Finding::good(format!("{address} ({setting}) is in use by a showcase that answers"))
            }
            (Err(AddrInUse), false, true) => Finding::note(format!(
                "{address} ({setting}) is in use, and showcase does not answer there. If another program uses it, stop that program (`ss -ltnp` names it)."
            )),
            (Err(AddrInUse), _, false) => Finding::problem(format!(
                "{address} ({setting}) is in use by another program than the server of {}. Stop that program (`ss -ltnp` names it), name the database of a running showcase with --database, or set another {setting}.",
                database.display()
            )),
            (Err(PermissionDenied), ..) => Finding::note(format!(
                "This user may not listen on {address} ({setting}). The unit that `showcase systemd` prints has that permission."
            )),
            (Err(_), ..) => Finding::problem(format!(
                "{address} ({setting}) is not an address of this machine. Use 0.0.0.0 to listen on all of its addresses."
            )),
        }
    }
}

fn answers_health(config: &Config, address: SocketAddr) -> bool {
    let scheme = if config.tls.is_on() { "https" } else { "http" };
    let response = web::local_agent().get(format!("{scheme}://{address}/healthz")).call();
    let Ok(mut response) = response else { return false };
    response.body_mut().with_config().limit(100).read_to_string().is_ok_and(|body| body.starts_with("alive"))
}

/// `is_ours`: no other program than showcase or this check listens on the site's ports.
fn judge_addresses(config: &Config, domain: &str, addresses: &[SocketAddr], is_ours: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let listed = addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>().join(", ");
    let has_ipv6 = addresses.iter().any(SocketAddr::is_ipv6);
    if has_ipv6 && config.tls.listen.is_ipv4() {
        found.push(Finding::problem(format!("{domain} has an IPv6 address, but tls.listen accepts only IPv4; certificate authorities and visitors try IPv6 first. Set tls.listen = \"[::]:443\" and tls.http_listen = \"[::]:80\", or remove the AAAA record.")).about("names"));
    }
    let reached = addresses.iter().any(|address| TcpStream::connect_timeout(address, web::TIMEOUT).is_ok());
    let is_local = addresses.iter().any(|address| own_addresses().contains(&address.ip()));
    found.push(match (reached, is_local) {
        (true, _) if !is_ours => Finding::note(format!("{domain} resolves to {listed}, where another program answers. Free the port above, then run this again.")).about("names"),
        (true, _) => Finding::good(format!("{domain} resolves to {listed} and can be reached")).about("names"),
        (false, true) => Finding::problem(format!("{domain} resolves to this machine ({listed}), but port {} cannot be reached. Open it in the firewall.", config.tls.listen.port())).about("names"),
        (false, false) => Finding::note(format!("{domain} resolves to {listed}, which is not an address of this machine and could not be reached from here. Behind a router or a CDN that may be right; otherwise correct the A record. Also check from another network.")).about("names"),
    });
    found
}

/// The local addresses that this machine uses towards the Internet. Connecting a UDP socket sends nothing.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_not_reported_as_reachable_if_another_program_answers() {
        let other = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr().map(|at| (it, at)));
        let (_other, address) = other.expect("a port");
        let config = Config::default();
        for (is_ours, grade) in [(true, Grade::Good), (false, Grade::Note)] {
            let found = judge_addresses(&config, "www.example.com", &[address], is_ours);
            assert_eq!(found.last().map(|finding| finding.grade), Some(grade), "{found:?}");
        }
    }
}
