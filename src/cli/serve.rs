//! `showcase serve`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};
use tracing_subscriber::filter::LevelFilter;

use super::output::print_line;
use super::{Global, supervisor};
use crate::admin::password;
use crate::app::App;
use crate::config::{Config, Flags};
use crate::error::{Error, Result};
use crate::http::{Door, Tls};
use crate::jobs::Schedule;
use crate::mail::Mailer;
use crate::ops::{backups, memory};
use crate::site::{self, publish};
use crate::store::{ServerLock, Store, migrate};
use crate::{demo, http};

/// Connections that wait to be taken; the system may allow fewer. Of a crowd that comes at once the rest would be
/// dropped, and try again after a second.
const BACKLOG: u32 = 1024;

/// Migrate the database, then serve the site
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase serve --demo\n  showcase serve --listen 127.0.0.1:8080 --database event.db\n  showcase serve --domain showcase.example.com"
)]
pub struct Serve {
    /// Where plain HTTP is served [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Serve these names by HTTPS, with certificates from Let's Encrypt
    #[arg(long = "domain", value_name = "NAME", num_args = 1.., conflicts_with = "listen")]
    domains: Vec<String>,
    /// A temporary database with plausible registrations and a test payment; only on this machine
    #[arg(long, conflicts_with_all = ["database", "domains"])]
    demo: bool,
}

impl Serve {
    pub fn run(&self, global: &Global) -> Result<()> {
        memory::keep_little();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        // From here on a signal never just ends the process, whatever is being made ready.
        let signals = runtime.block_on(async { Signals::listen() })?;
        let flags = Flags { listen: self.listen, domains: self.domains.clone(), ..global.flags() };
        let mut config = Config::load(&flags)?;
        global.start_log(config.log.format, LevelFilter::INFO);
        global.warn(&config);
        let folder = if self.demo { Some(demo::prepare(&mut config)?) } else { None };
        if let Some(problem) = config.problems().into_iter().next() {
            return Err(Error::Failed(problem));
        }
        let tls = Tls::new(&config)?;
        warn_of_a_lost_database(&config);
        let _lock = ServerLock::take(&config.database)?;
        config.limits.connections = supervisor::allow_many_files(config.limits.connections);
        let doors = {
            let _inside = runtime.enter();
            open_doors(&mut config, tls.as_ref())?
        };
        migrate_before(&config)?;
        let app = Arc::new(open(config, self.demo)?);
        let served = runtime.block_on(serve(&app, doors, tls, signals));
        // Whatever a handler still waits for must not keep the process from ending.
        runtime.shutdown_background();
        drop(folder);
        served
    }
}

/// An empty database in the place of one that was lost would look as if all were well.
fn warn_of_a_lost_database(config: &Config) {
    let backups =
        if config.database.exists() { Vec::new() } else { backups::list(config).unwrap_or_default() };
    if let Some(newest) = backups.first() {
        tracing::warn!(
            "There is no {}, so an empty one is made. There are backups of one: if it was lost, stop this server and \
             run `showcase restore {}`.",
            config.database.display(),
            newest.path.display()
        );
    }
}

fn migrate_before(config: &Config) -> Result<()> {
    let done = migrate::migrate(&config.database)?;
    if let Some(backup) = done.backup {
        tracing::info!("the database was migrated; the backup made before is {}", backup.display());
    }
    Ok(())
}

fn open(config: Config, is_demo: bool) -> Result<App> {
    let store = Store::open(&config.database)?;
    let content = site::current(&store)?;
    let app = App::new(config, store, content, is_demo)?;
    if is_demo {
        demo::fill(&app)?;
    }
    if let Some(password) = password::make_first(&app)? {
        print_line!("The organiser's password, shown this once: {password}")?;
    } else if is_demo {
        // A secret of the real site is not for a terminal, but whoever looks for it learns where it is.
        print_line!("The organiser's password is the one in admin.password or admin.password_hash.")?;
    }
    publish::publish(&app)?;
    Ok(app)
}

/// Binds every address. The settings then have the addresses that were bound, which with port 0 are
/// others than those asked for.
fn open_doors(config: &mut Config, tls: Option<&Arc<Tls>>) -> Result<Vec<Door>> {
    let mut doors = Vec::new();
    if let Some(address) = config.metrics.listen {
        let listener = bind(address, "metrics.listen")?;
        config.metrics.listen = Some(listener.local_addr()?);
        doors.push(Door::Metrics(listener));
    }
    let Some(tls) = tls else {
        let listener = bind(config.listen, "--listen")?;
        config.listen = listener.local_addr()?;
        doors.push(Door::Http(listener));
        return Ok(doors);
    };
    let listener = bind(config.tls.listen, "tls.listen")?;
    config.tls.listen = listener.local_addr()?;
    doors.push(Door::Https(listener, Arc::clone(tls)));
    if let Some(address) = config.tls.http_listen {
        let listener = bind(address, "tls.http_listen")?;
        config.tls.http_listen = Some(listener.local_addr()?);
        doors.push(Door::Redirect(listener, Arc::clone(tls)));
    }
    Ok(doors)
}

fn bind(address: SocketAddr, setting: &str) -> Result<TcpListener> {
    listen(address).map_err(|error| {
        let advice = match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                "Ports below 1024 need a right of their own: `showcase systemd` prints a unit that gives it."
                    .to_owned()
            }
            _ => format!("Choose another with {setting}, or stop what uses it."),
        };
        Error::Failed(format!("{address} cannot be listened on: {error}. {advice}"))
    })
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // What was closed a minute ago keeps no restart off its port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn serve(app: &Arc<App>, doors: Vec<Door>, tls: Option<Arc<Tls>>, signals: Signals) -> Result<()> {
    let connections = if app.demo { 0 } else { app.config.smtp.connections };
    let mailers = (0..connections).filter_map(|_| Mailer::new(&app.config.smtp).transpose());
    let mailers = mailers.collect::<Result<Vec<_>>>()?;
    if mailers.is_empty() && !app.demo {
        tracing::warn!("smtp.host is not set: mails wait in the outbox");
    }
    let schedule = Schedule::start(app, mailers)?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(stop_on_signal(stop, signals.interrupt, signals.terminate));
    let hurry = Arc::new(Notify::new());
    tokio::spawn(reload_on_signal(signals.hangup, tls.clone(), Arc::clone(&hurry)));
    if let Some(tls) = tls.filter(|tls| !tls.certificates.are_own()) {
        tokio::spawn(http::keep_certified(Arc::clone(app), Arc::clone(&tls.certificates), hurry));
    }
    let patience = Duration::from_secs(app.config.limits.shutdown_seconds);
    let end =
        async |schedule: Schedule| tokio::task::spawn_blocking(move || schedule.stop(patience)).await.ok();
    if let Err(error) = greet(app) {
        end(schedule).await;
        return Err(error);
    }
    supervisor::tell_ready();
    let mut asked = stopped.clone();
    // Both at once, so that both have ended after the time that the configuration gives.
    tokio::join!(http::serve(doors, Arc::clone(app), stopped), async {
        let _ = asked.wait_for(|stopped| *stopped).await;
        end(schedule).await;
    });
    tracing::info!("stopped");
    Ok(())
}

fn greet(app: &App) -> Result<()> {
    if let Some(metrics) = app.config.metrics.listen {
        print_line!("Metrics are at http://{metrics}/metrics")?;
    }
    let tls = &app.config.tls;
    if !tls.is_on() {
        return print_line!("Showcase is at http://{}/", app.config.listen);
    }
    if let Some(plain) = tls.http_listen {
        print_line!("Plain HTTP on {plain} is sent on to HTTPS.")?;
    }
    print_line!("Showcase is at {}/ (HTTPS on {})", app.public_url(), tls.listen)
}

/// What the process listens for from its start; a signal that comes before it can be obeyed waits.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    fn listen() -> Result<Signals> {
        // A file that may not grow, as under `ulimit -f`, is a failed write and no reason to die.
        signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)?;
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }
}

/// The first signal stops gracefully, the second at once.
async fn stop_on_signal(stop: watch::Sender<bool>, mut interrupt: Signal, mut terminate: Signal) {
    for is_first in [true, false] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if !is_first {
            std::process::exit(130);
        }
        supervisor::tell_stopping();
        tracing::info!("stopping; open requests are finished first (again to stop at once)");
        let _ = stop.send(true);
    }
}

/// SIGHUP reads the certificate files anew, or asks the authority at once; it never ends the process.
async fn reload_on_signal(mut hangup: Signal, tls: Option<Arc<Tls>>, hurry: Arc<Notify>) {
    while hangup.recv().await.is_some() {
        supervisor::tell_reloading();
        match tls.as_ref().map(|tls| tls.certificates.reload()) {
            None => tracing::info!("SIGHUP: there is nothing to read anew; settings need a restart"),
            Some(Ok(())) => tracing::info!("SIGHUP: the certificate was looked at anew"),
            Some(Err(error)) => tracing::error!("SIGHUP: the present certificate stays: {error}"),
        }
        hurry.notify_waiters();
        supervisor::tell_ready();
    }
}
