//! What a server and its supervisor owe each other: `sd_notify` messages, and enough open files.

use rustix::process::{Resource, getrlimit, setrlimit};
use sd_notify::NotifyState;

/// Files beside the connections: the database, logs, listeners, the mail server.
const OTHER_FILES: u64 = 200;

pub fn tell_ready() {
    tell(&[NotifyState::Ready, NotifyState::Status("Serving")]);
}

pub fn tell_stopping() {
    tell(&[NotifyState::Stopping]);
}

pub fn tell_reloading() {
    let mut states = vec![NotifyState::Reloading];
    states.extend(NotifyState::monotonic_usec_now().ok());
    tell(&states);
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!("the supervisor could not be told: {error}");
    }
}

/// Raises the number of files that may be open as far as the system lets it; returns how many of the `connections`
/// leave enough of them for the database and the backups.
pub fn allow_many_files(connections: usize) -> usize {
    let present = getrlimit(Resource::Nofile);
    let wanted = connections as u64 + OTHER_FILES;
    if present.current.is_none_or(|current| current >= wanted) {
        return connections;
    }
    let allowed = present.maximum.map_or(wanted, |most| most.min(wanted));
    let raised = rustix::process::Rlimit { current: Some(allowed), maximum: present.maximum };
    if setrlimit(Resource::Nofile, raised).is_err() || allowed < wanted {
        let fit = connections_within(allowed);
        tracing::warn!(
            "limits.connections is {connections}, but the system allows {allowed} open files: \
             {fit} connections are taken; raise LimitNOFILE, or lower the setting"
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
    fn the_database_keeps_its_files_when_few_are_allowed() {
        for (files, connections) in [(1024, 824), (300, 100), (200, 50), (80, 20), (20_000, 19_800)] {
            assert_eq!(connections_within(files), connections, "{files}");
        }
    }
}
