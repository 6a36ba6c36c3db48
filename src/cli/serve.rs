//! `showcase serve`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};
use tracing_subscriber::filter::LevelFilter;

use super::output::print_line;
use super::{Global, log_warnings, supervisor};
use crate::admin::password;
use crate::app::App;
use crate::config::{Config, Flags};
use crate::error::{Error, Result};
use crate::http::{Listener, Tls};
use crate::jobs::Schedule;
use crate::mail::Mailer;
use crate::ops::{backups, memory};
use crate::site::{self, publish};
use crate::store::{ServerLock, Store, migrate};
use crate::{demo, http};

/// The queue of connections that are not accepted yet; the system may allow fewer. In a rush, further ones are dropped
/// and retried by their clients after a second.
const BACKLOG: u32 = 1024;

/// Migrate the database, then serve the site
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase serve --demo\n  showcase serve --listen 127.0.0.1:8080 --database event.db\n  showcase serve --domain showcase.example.com"
)]
pub struct Serve {
    /// The address for plain HTTP [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Serve these names over HTTPS, with certificates from Let's Encrypt
    #[arg(long = "domain", value_name = "NAME", num_args = 1.., conflicts_with = "listen")]
    domains: Vec<String>,
    /// Use a temporary database with sample registrations and a test payment; only on this machine
    #[arg(long, conflicts_with_all = ["database", "domains"])]
    demo: bool,
}

impl Serve {
    pub fn run(&self, global: &Global) -> Result<()> {
        memory::limit_allocator();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        // From here on signals are handled, even while the server is starting.
        let signals = runtime.block_on(async { Signals::listen() })?;
        let flags = Flags { listen: self.listen, domains: self.domains.clone(), ..global.flags() };
        let mut config = Config::load(&flags)?;
        global.start_log(config.log.format, LevelFilter::INFO);
        log_panics();
        log_warnings(&config);
        // Deleted after the database in it is closed.
        let _demo_folder = if self.demo { Some(demo::prepare(&mut config)?) } else { None };
        if let Some(problem) = config.problems().into_iter().next() {
            return Err(Error::Failed(problem));
        }
        let tls = Tls::new(&config)?;
        config.limits.connections = supervisor::raise_file_limit(config.limits.connections);
        // Before the lock, which creates the database's file: a port in use must not leave an empty one.
        let listeners = {
            let _guard = runtime.enter();
            bind_all(&mut config, tls.as_ref())
        };
        let listeners = listeners.map_err(|error| bind_error(error, &config))?;
        warn_of_lost_database(&config);
        let _lock = ServerLock::take(&config.database)?;
        migrate_database(&config)?;
        let app = Arc::new(open(config, self.demo)?);
        let outcome = runtime.block_on(serve(&app, listeners, tls, signals));
        // Handlers that are still waiting must not keep the process from ending.
        runtime.shutdown_background();
        outcome
    }
}

/// Logs where a thread panicked. Whoever runs the work decides what follows.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = std::backtrace::Backtrace::force_capture();
        tracing::error!("{panic}\nbacktrace:\n{backtrace}");
    }));
}

/// If another server holds this database, report that instead of the address that it uses.
fn bind_error(error: Error, config: &Config) -> Error {
    if ServerLock::is_held(&config.database) { Error::Locked(config.database.clone()) } else { error }
}

/// Warns if there are backups but no database, which is about to be created empty.
fn warn_of_lost_database(config: &Config) {
    let backups =
        if config.database.exists() { Vec::new() } else { backups::list(config).unwrap_or_default() };
    if let Some(newest) = backups.first() {
        tracing::warn!(
            "{} does not exist, so an empty database is created, but there are backups. If the database was lost, stop \
             this server and run `showcase restore {}`.",
            config.database.display(),
            newest.path.display()
        );
    }
}

fn migrate_database(config: &Config) -> Result<()> {
    let done = migrate::migrate(&config.database)?;
    if let Some(backup) = done.backup {
        tracing::info!("the database was migrated; its previous state is in {}", backup.display());
    }
    Ok(())
}

fn open(config: Config, is_demo: bool) -> Result<App> {
    let store = Store::open(&config.database)?;
    let content = site::current(&store)?;
    let make = if is_demo { App::for_demo } else { App::new };
    let app = make(config, store, content)?;
    if is_demo {
        demo::fill(&app)?;
        for line in demo::fill_portal(&app)?.into_iter().chain(demo::fill_judging(&app)?) {
            print_line!("{line}")?;
        }
    }
    if let Some(password) = password::generate_if_missing(&app)? {
        print_line!("The organiser's password, shown this once: {password}")?;
    } else if is_demo {
        // The configured password may be the real site's, so it is not printed.
        print_line!("The organiser's password is the one in admin.password or admin.password_hash.")?;
    }
    publish::publish(&app, publish::Scope::First)?;
    Ok(app)
}

/// Binds every address and writes the bound addresses to `config`: port 0 becomes the chosen port.
fn bind_all(config: &mut Config, tls: Option<&Arc<Tls>>) -> Result<Vec<Listener>> {
    let mut listeners = Vec::new();
    if let Some(address) = config.metrics.listen {
        let listener = bind(address, "metrics.listen")?;
        config.metrics.listen = Some(listener.local_addr()?);
        listeners.push(Listener::Metrics(listener));
    }
    let Some(tls) = tls else {
        let listener = bind(config.listen, "--listen")?;
        config.listen = listener.local_addr()?;
        listeners.push(Listener::Http(listener));
        return Ok(listeners);
    };
    let listener = bind(config.tls.listen, "tls.listen")?;
    config.tls.listen = listener.local_addr()?;
    listeners.push(Listener::Https(listener, Arc::clone(tls)));
    if let Some(address) = config.tls.http_listen {
        let listener = bind(address, "tls.http_listen")?;
        config.tls.http_listen = Some(listener.local_addr()?);
        listeners.push(Listener::Redirect(listener, Arc::clone(tls)));
    }
    Ok(listeners)
}

fn bind(address: SocketAddr, setting: &str) -> Result<TcpListener> {
    listen(address).map_err(|error| {
        let advice = match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                "Ports below 1024 need a permission: `showcase systemd` prints a unit that has it.".to_owned()
            }
            _ => format!("Choose another address with {setting}, or stop the program that uses it."),
        };
        Error::Failed(format!("Cannot listen on {address}: {error}. {advice}"))
    })
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // `SO_REUSEADDR`: connections in TIME_WAIT must not prevent a restart.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn serve(
    app: &Arc<App>,
    listeners: Vec<Listener>,
    tls: Option<Arc<Tls>>,
    signals: Signals,
) -> Result<()> {
    let connections = if app.demo { 0 } else { app.config.smtp.connections };
    let mailers = (0..connections).filter_map(|_| Mailer::new(&app.config.smtp).transpose());
    let mailers = mailers.collect::<Result<Vec<_>>>()?;
    if mailers.is_empty() && !app.demo {
        tracing::warn!("smtp.host is not set, so emails wait in the outbox");
    }
    let schedule = Schedule::start(app, mailers)?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(stop_on_signal(stop, signals.interrupt, signals.terminate));
    let retry_now = Arc::new(Notify::new());
    tokio::spawn(reload_on_signal(signals.hangup, tls.clone(), Arc::clone(&retry_now)));
    if let Some(tls) = tls.filter(|tls| !tls.certificates.are_from_files()) {
        tokio::spawn(http::keep_certified(Arc::clone(app), Arc::clone(&tls.certificates), retry_now));
    }
    let grace = Duration::from_secs(app.config.limits.shutdown_seconds);
    let stop_schedule =
        async |schedule: Schedule| tokio::task::spawn_blocking(move || schedule.stop(grace)).await.ok();
    if let Err(error) = print_addresses(app) {
        stop_schedule(schedule).await;
        return Err(error);
    }
    supervisor::notify_ready();
    let mut schedule_stop = stopped.clone();
    // In parallel, so that both end within the grace period.
    tokio::join!(http::serve(listeners, Arc::clone(app), stopped), async {
        let _ = schedule_stop.wait_for(|stopped| *stopped).await;
        stop_schedule(schedule).await;
    });
    tracing::info!("stopped");
    Ok(())
}

fn print_addresses(app: &App) -> Result<()> {
    if let Some(metrics) = app.config.metrics.listen {
        print_line!("Metrics are at http://{metrics}/metrics")?;
    }
    let tls = &app.config.tls;
    if !tls.is_on() {
        return print_line!("Showcase is at http://{}/", app.config.listen);
    }
    if let Some(plain) = tls.http_listen {
        print_line!("Plain HTTP on {plain} is redirected to HTTPS.")?;
    }
    print_line!("Showcase is at {}/ (HTTPS on {})", app.public_url(), tls.listen)
}

/// The signals that are handled from the start. One that arrives before the server can react is kept.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    fn listen() -> Result<Signals> {
        // Exceeding `ulimit -f` is then a failed write and does not kill the process.
        signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)?;
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }
}

/// Stops gracefully on the first signal and at once on the second.
async fn stop_on_signal(stop: watch::Sender<bool>, mut interrupt: Signal, mut terminate: Signal) {
    for is_first in [true, false] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if !is_first {
            std::process::exit(130);
        }
        supervisor::notify_stopping();
        tracing::info!("stopping after open requests are finished; send the signal again to stop at once");
        let _ = stop.send(true);
    }
}

/// On SIGHUP, reloads the certificate files or retries the ACME order at once. SIGHUP never ends the process.
async fn reload_on_signal(mut hangup: Signal, tls: Option<Arc<Tls>>, retry_now: Arc<Notify>) {
    while hangup.recv().await.is_some() {
        supervisor::notify_reloading();
        match &tls {
            None => tracing::info!("SIGHUP: nothing to reload; changed settings need a restart"),
            Some(tls) if !tls.certificates.are_from_files() => {
                tracing::info!(
                    "SIGHUP: no certificate files to reload; an order that failed is tried again now"
                );
            }
            Some(tls) => match tls.certificates.reload() {
                Ok(()) => tracing::info!("SIGHUP: the certificate was reloaded"),
                Err(error) => tracing::error!("SIGHUP: the current certificate stays in use: {error}"),
            },
        }
        retry_now.notify_waiters();
        supervisor::notify_ready();
    }
}
