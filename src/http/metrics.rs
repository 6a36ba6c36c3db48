//! Metrics in Prometheus's text format: counts and durations of requests, queues, backups, disk space. They hold no
//! addresses, paths or personal data.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::Utc;

use crate::app::App;
use crate::ops::health::probe;
use crate::ops::{backups, certificates};
use crate::store::outbox::{self, State};
use crate::time;

/// What a request asks for.
#[derive(Clone, Copy)]
pub enum Class {
    /// A page, an asset or a picture.
    Page,
    Api,
    Health,
    /// Anything else, such as an unknown address.
    Other,
}

const CLASSES: [&str; 4] = ["page", "api", "health", "other"];
const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// The upper bounds of the histogram: in microseconds, and in seconds as text.
const BOUNDS: [(u64, &str); 9] = [
    (250, "0.00025"),
    (1_000, "0.001"),
    (5_000, "0.005"),
    (25_000, "0.025"),
    (100_000, "0.1"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (5_000_000, "5"),
    (20_000_000, "20"),
];

#[derive(Default)]
pub struct Metrics {
    answers: [[AtomicU64; STATUSES.len()]; CLASSES.len()],
    within: [[AtomicU64; BOUNDS.len()]; CLASSES.len()],
    microseconds: [AtomicU64; CLASSES.len()],
    pub connections: AtomicU64,
}

impl Metrics {
    pub fn observe(&self, class: Class, status: u16, took: Duration) {
        let class = class as usize;
        let status = position(status);
        self.answers[class][status].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds[class].fetch_add(microseconds, Ordering::Relaxed);
        if let Some(bound) = BOUNDS.iter().position(|(bound, _)| microseconds <= *bound) {
            self.within[class][bound].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All metrics as text. Reads the database.
    pub fn text(&self, app: &App) -> String {
        let mut text = String::with_capacity(8 * 1024);
        self.write_requests(&mut text);
        write_outbox(&mut text, app);
        let open = self.connections.load(Ordering::Relaxed) as f64;
        let queue = app.store.queue_length() as f64;
        let now = time::now();
        let age =
            backups::until(&app.config, now).ok().and_then(|made| made.first().map(|newest| now - newest.at));
        let age = age.map(|age| age.num_seconds() as f64);
        let expires_at = app
            .store
            .read(|connection| certificates::validity(&app.config.tls, connection))
            .ok()
            .flatten()
            .map(|validity| validity.until.timestamp() as f64);
        let free = probe::free_bytes(&app.config).ok().map(|free| free as f64);
        let read_only = f64::from(u8::from(app.health.trouble().is_some()));
        for (name, help, value) in [
            ("showcase_connections", "Open connections.", Some(open)),
            ("showcase_store_queue", "Writes waiting to be stored.", Some(queue)),
            ("showcase_backup_age_seconds", "Age of the newest backup.", age),
            ("showcase_certificate_expires_timestamp_seconds", "When the certificate expires.", expires_at),
            ("showcase_disk_free_bytes", "Free space on the database's disk.", free),
            ("showcase_read_only", "1 while the site is read-only.", Some(read_only)),
        ] {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
            if let Some(value) = value {
                let _ = writeln!(text, "{name} {value}");
            }
        }
        text
    }

    fn write_requests(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "# HELP showcase_requests_total Requests answered.\n# TYPE showcase_requests_total counter"
        );
        for (class, answers) in CLASSES.iter().zip(&self.answers) {
            for (status, count) in STATUSES.iter().zip(answers) {
                let count = count.load(Ordering::Relaxed);
                let _ = writeln!(
                    text,
                    "showcase_requests_total{{class=\"{class}\",status=\"{status}\"}} {count}"
                );
            }
        }
        let name = "showcase_request_seconds";
        let _ = writeln!(text, "# HELP {name} Time until an answer was ready.\n# TYPE {name} histogram");
        for (index, class) in CLASSES.iter().enumerate() {
            let mut below = 0;
            for ((_, bound), count) in BOUNDS.iter().zip(&self.within[index]) {
                below += count.load(Ordering::Relaxed);
                let _ = writeln!(text, "{name}_bucket{{class=\"{class}\",le=\"{bound}\"}} {below}");
            }
            // Counters change while they are read. The total must not be smaller than the last bucket.
            let total = self.answers[index].iter().map(|count| count.load(Ordering::Relaxed)).sum::<u64>();
            let total = total.max(below);
            let seconds = self.microseconds[index].load(Ordering::Relaxed) as f64 / 1e6;
            let _ = writeln!(text, "{name}_bucket{{class=\"{class}\",le=\"+Inf\"}} {total}");
            let _ = writeln!(
                text,
                "{name}_sum{{class=\"{class}\"}} {seconds}\n{name}_count{{class=\"{class}\"}} {total}"
            );
        }
    }
}

fn position(status: u16) -> usize {
    usize::from(status / 100).clamp(1, STATUSES.len()) - 1
}

fn write_outbox(text: &mut String, app: &App) {
    let found = app.store.read(|connection| {
        let counts = [State::Waiting, State::Failed].map(|state| (state, outbox::count(connection, state)));
        Ok((counts, outbox::oldest_waiting(connection)?))
    });
    let Ok((counts, oldest)) = found else { return };
    let _ =
        writeln!(text, "# HELP showcase_outbox_mails Emails by state.\n# TYPE showcase_outbox_mails gauge");
    for (state, count) in counts {
        if let Ok(count) = count {
            let _ = writeln!(text, "showcase_outbox_mails{{state=\"{}\"}} {count}", state.as_str());
        }
    }
    let waits = oldest
        .and_then(|at| at.parse::<chrono::DateTime<Utc>>().ok())
        .map_or(0, |at| (time::now() - at).num_seconds());
    let name = "showcase_outbox_oldest_seconds";
    let _ = writeln!(
        text,
        "# HELP {name} How long the oldest waiting email has waited.\n# TYPE {name} gauge\n{name} {waits}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buckets_of_a_histogram_add_up_to_its_total() {
        let metrics = Metrics::default();
        for (status, took) in [(200, 100), (304, 900), (503, 30_000_000), (200, 2_000)] {
            metrics.observe(Class::Api, status, Duration::from_micros(took));
        }
        let mut text = String::new();
        metrics.write_requests(&mut text);
        for line in [
            "showcase_requests_total{class=\"api\",status=\"2xx\"} 2",
            "showcase_requests_total{class=\"api\",status=\"5xx\"} 1",
            "showcase_request_seconds_bucket{class=\"api\",le=\"0.00025\"} 1",
            "showcase_request_seconds_bucket{class=\"api\",le=\"0.005\"} 3",
            "showcase_request_seconds_bucket{class=\"api\",le=\"20\"} 3",
            "showcase_request_seconds_bucket{class=\"api\",le=\"+Inf\"} 4",
            "showcase_request_seconds_count{class=\"api\"} 4",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
    }
}
