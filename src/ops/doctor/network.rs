//! The clock, the site's names, and whether its ports can be had and reached.

use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};

use chrono::{DateTime, Utc};

use super::{Finding, Grade, web};
use crate::config::Config;
use crate::ops::certificates;

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

/// Whether a server can listen, and visitors find it. `is_served`: a server has the database.
pub fn names_and_ports(config: &Config, is_served: bool) -> Vec<Finding> {
    // Held while the names are looked at, so that a connection to them can arrive.
    let doors: Vec<Door> = config
        .listeners()
        .into_iter()
        .map(|(setting, address)| Door { setting, address, bound: TcpListener::bind(address) })
        .collect();
    let answers = doors.first().is_some_and(|site| site.is_in_use() && says_alive(config, site.address));
    // Two doors at one place are told with the settings: the second is in the way of the first alone.
    let is_in_own_way = |at: usize| {
        let mut earlier = doors[..at].iter().filter(|earlier| earlier.bound.is_ok());
        doors[at].is_in_use() && earlier.any(|earlier| earlier.address.port() == doors[at].address.port())
    };
    let mut found: Vec<Finding> = (0..doors.len())
        .filter(|at| !is_in_own_way(*at))
        .map(|at| doors[at].judge(answers, is_served))
        .collect();
    let is_ours = found.iter().all(|finding| finding.grade != Grade::Problem);
    for domain in &config.tls.domains {
        match web::addresses(domain, config.tls.listen.port()) {
            Err(reason) => found.push(Finding::problem(
                "names",
                format!("{domain} has no address that can be found here ({reason}). Make an A record for it that names this machine."),
            )),
            Ok(addresses) => found.extend(judge_addresses(config, domain, &addresses, is_ours)),
        }
    }
    found
}

/// A place where a server listens, which it is tried to take.
struct Door {
    setting: &'static str,
    address: SocketAddr,
    bound: std::io::Result<TcpListener>,
}

impl Door {
    fn is_in_use(&self) -> bool {
        self.bound.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
    }

    /// `answers`: a showcase does, at the site's own door. `is_served`: one has the database.
    fn judge(&self, answers: bool, is_served: bool) -> Finding {
        use std::io::ErrorKind::{AddrInUse, PermissionDenied};
        let Door { setting, address, .. } = self;
        match (self.bound.as_ref().map_err(std::io::Error::kind), answers, is_served) {
            (Ok(_), ..) => Finding::good("ports", format!("{address} is free for {setting}")),
            (Err(AddrInUse), true, _) => {
                Finding::good("ports", format!("{address} ({setting}) is in use, by a showcase that answers"))
            }
            (Err(AddrInUse), false, true) => Finding::note(
                "ports",
                format!(
                    "{address} ({setting}) is in use: by the running showcase, which does not answer there, else stop what uses it."
                ),
            ),
            (Err(AddrInUse), false, false) => Finding::problem(
                "ports",
                format!(
                    "{address} ({setting}) is taken by another program: no server can start. Stop that one (`ss -ltnp` names it), or set another {setting}."
                ),
            ),
            (Err(PermissionDenied), ..) => Finding::note(
                "ports",
                format!(
                    "This user may not listen on {address} ({setting}); the unit that `showcase systemd` prints may."
                ),
            ),
            (Err(_), ..) => Finding::problem(
                "ports",
                format!(
                    "{address} ({setting}) is no address of this machine. Write 0.0.0.0 for all of them."
                ),
            ),
        }
    }
}

fn says_alive(config: &Config, address: SocketAddr) -> bool {
    let scheme = if config.tls.is_on() { "https" } else { "http" };
    let asked = web::agent_of_this_machine().get(format!("{scheme}://{address}/healthz")).call();
    let Ok(mut answer) = asked else { return false };
    answer.body_mut().with_config().limit(100).read_to_string().is_ok_and(|body| body.starts_with("alive"))
}

/// `is_ours`: what answers at this machine's ports is a showcase, or nothing but this look.
fn judge_addresses(config: &Config, domain: &str, addresses: &[SocketAddr], is_ours: bool) -> Vec<Finding> {
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
        (true, _) if !is_ours => Finding::note(
            "names",
            format!("{domain} is {listed}, and something answers there. Free the port above, then look whether it is this program."),
        ),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_at_which_a_stranger_answers_is_not_said_to_be_reached() {
        let stranger = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr().map(|at| (it, at)));
        let (_stranger, address) = stranger.expect("a port");
        let config = Config::default();
        for (is_ours, grade) in [(true, Grade::Good), (false, Grade::Note)] {
            let found = judge_addresses(&config, "www.example.com", &[address], is_ours);
            assert_eq!(found.last().map(|finding| finding.grade), Some(grade), "{found:?}");
        }
    }
}
