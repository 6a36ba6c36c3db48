//! The supervisor: `sd_notify` messages, and the limit of open files.

use rustix::process::{Resource, getrlimit, setrlimit};
use sd_notify::NotifyState;

/// Open files that are not connections: the database, logs, listeners, the mail server.
const OTHER_FILES: u64 = 200;

pub fn notify_ready() {
    notify(&[NotifyState::Ready, NotifyState::Status("Serving")]);
}

pub fn notify_stopping() {
    notify(&[NotifyState::Stopping]);
}

pub fn notify_reloading() {
    let mut states = vec![NotifyState::Reloading];
    states.extend(NotifyState::monotonic_usec_now().ok());
    notify(&states);
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!("the supervisor could not be notified: {error}");
    }
}

/// Raises the limit of open files as far as the system allows. Returns how many of `connections` fit within it, with
/// enough files left for the database and the backups.
pub fn raise_file_limit(connections: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = connections as u64 + OTHER_FILES;
    if limit.current.is_none_or(|current| current >= wanted) {
        return connections;
    }
    let allowed = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let raised = rustix::process::Rlimit { current: Some(allowed), maximum: limit.maximum };
    let is_raised = setrlimit(Resource::Nofile, raised).is_ok();
    let in_force = if is_raised { allowed } else { limit.current.unwrap_or(allowed) };
    if in_force < wanted {
        let fit = connections_within(in_force);
        tracing::warn!(
            "limits.connections is {connections}, but the system allows only {in_force} open files, so at most {fit} \
             connections are accepted. Raise LimitNOFILE, or lower the setting."
        );
        return connections.min(fit);
    }
    connections
}

fn connections_within(files: u64) -> usize {
    usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 4)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_limit_of_open_files_leaves_some_for_the_database() {
        for (files, connections) in [(1024, 824), (300, 100), (200, 50), (80, 20), (20_000, 19_800)] {
            assert_eq!(connections_within(files), connections, "{files}");
        }
    }
}
