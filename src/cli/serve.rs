//! `showcase serve`.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tracing_subscriber::filter::LevelFilter;

use super::Global;
use super::output::print_line;
use crate::app::App;
use crate::config::{Config, Flags};
use crate::error::{Error, Result};
use crate::mail::Mailer;
use crate::schedule::Schedule;
use crate::store::{ServerLock, Store, migrate};
use crate::{content_desk, demo, memory, password, publish, web};

/// Migrate the database, then serve the site
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase serve --demo\n  showcase serve --listen 127.0.0.1:8080 --database event.db"
)]
pub struct Serve {
    /// Where plain HTTP is served [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// A temporary database with plausible registrations and a test payment; only on this machine
    #[arg(long, conflicts_with = "database")]
    demo: bool,
}

impl Serve {
    pub fn run(&self, global: &Global) -> Result<()> {
        memory::limit_arenas();
        let flags = Flags { listen: self.listen, ..global.flags() };
        let mut config = Config::load(&flags)?;
        password::require_usable(&config.admin)?;
        global.start_log(config.log.format, LevelFilter::INFO);
        let folder = if self.demo { Some(demo::prepare(&mut config)?) } else { None };
        let _lock = ServerLock::take(&config.database)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let listener = runtime.block_on(bind(config.listen))?;
        // The address that was bound, which with port 0 is another than the one asked for.
        config.listen = listener.local_addr()?;
        migrate_before(&config)?;
        let app = Arc::new(open(config, self.demo)?);
        let served = runtime.block_on(serve(&app, listener));
        // Whatever a handler still waits for must not keep the process from ending.
        runtime.shutdown_background();
        drop(folder);
        served
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
    let content = content_desk::current(&store)?;
    let app = App::new(config, store, content, is_demo)?;
    if is_demo {
        demo::fill(&app)?;
    }
    if let Some(password) = password::make_first(&app)? {
        print_line!("The organiser's password, shown this once: {password}")?;
    }
    publish::publish(&app)?;
    Ok(app)
}

async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        Error::Failed(format!(
            "{address} cannot be listened on: {error}. Choose another with --listen, or stop what uses it."
        ))
    })
}

async fn serve(app: &Arc<App>, listener: TcpListener) -> Result<()> {
    let mailer = if app.demo { None } else { Mailer::new(&app.config.smtp)? };
    if mailer.is_none() && !app.demo {
        tracing::warn!("smtp.host is not set: mails wait in the outbox");
    }
    let schedule = Schedule::start(app, mailer)?;
    let (stop, stopped) = watch::channel(false);
    let signals = (listen_for(SignalKind::interrupt())?, listen_for(SignalKind::terminate())?);
    tokio::spawn(stop_on_signal(stop, signals));
    let greeted = print_line!("Showcase is at http://{}/", app.config.listen);
    if let Err(error) = greeted {
        tokio::task::spawn_blocking(move || schedule.stop()).await.ok();
        return Err(error);
    }
    web::serve(listener, Arc::clone(app), stopped).await;
    tokio::task::spawn_blocking(move || schedule.stop()).await.ok();
    tracing::info!("stopped");
    Ok(())
}

fn listen_for(kind: SignalKind) -> Result<Signal> {
    Ok(signal(kind)?)
}

/// The first signal stops gracefully, the second at once.
async fn stop_on_signal(stop: watch::Sender<bool>, (mut interrupt, mut terminate): (Signal, Signal)) {
    for is_first in [true, false] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        if !is_first {
            std::process::exit(130);
        }
        tracing::info!("stopping; open requests are finished first (again to stop at once)");
        let _ = stop.send(true);
    }
}
