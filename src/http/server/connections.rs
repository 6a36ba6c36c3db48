//! All open connections: how many one address and one network may have, and which one makes room for a new one.
//!
//! A new connection is always let in while any other one waits for its client: the one whose client has been
//! silent the longest is closed for it. Nothing here is touched by a request: a connection notes what it does in
//! its own [`Activity`], which is read when room is needed.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::activity::{Activity, nanoseconds_since};
use crate::config::{Limits, TrustedProxies};
use crate::http::client_ip::Client;

/// How long a connection whose request we are working on is left out of the search for room.
const LEFT_OUT: Duration = Duration::from_millis(100);
/// Connections that were told to end and still have their file open, at most. Fewer than the files that
/// `serve` allows beside `limits.connections`.
const MOST_ENDING: usize = 100;

/// Connections that share a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Address(Client),
    Network(Client),
    All,
}

/// When a connection was last seen to make progress, and its id.
type Seen = (u64, u64);

pub struct Connections {
    all: usize,
    per_address: usize,
    per_network: usize,
    epoch: Instant,
    table: Mutex<Table>,
    /// Notified whenever a connection has ended.
    closed: Notify,
}

#[derive(Default)]
struct Table {
    next_id: u64,
    open: HashMap<u64, Member>,
    /// The members of each group that has any, by when they were last seen to make progress. A member may have
    /// made some since: it is looked up again, and moved, when it comes first.
    groups: HashMap<Group, BTreeSet<Seen>>,
    /// Connections that were told to end and have not yet.
    ending: usize,
}

struct Member {
    activity: Arc<Activity>,
    groups: Vec<Group>,
    seen: u64,
}

/// An accepted connection's place, given back when dropped.
pub struct Place {
    id: u64,
    connections: Arc<Connections>,
    pub activity: Arc<Activity>,
}

impl Connections {
    pub fn new(limits: &Limits) -> Connections {
        let share = |setting: usize| if setting == 0 { usize::MAX } else { setting };
        Connections {
            all: limits.connections,
            per_address: share(limits.connections_per_address),
            per_network: share(limits.connections_per_network),
            epoch: Instant::now(),
            table: Mutex::default(),
            closed: Notify::new(),
        }
    }

    /// A place for a connection of this peer. Where the peer's address, its network or everything is full, the
    /// connection of these whose client has been silent the longest is told to end. A trusted proxy has no share.
    ///
    /// `None` when all of them have a request that we are working on: then the new one is to be closed.
    pub fn admit(self: &Arc<Self>, peer: IpAddr, trusted: &TrustedProxies) -> Option<Place> {
        let client = Client::of(peer);
        let groups = if trusted.contains(peer.to_canonical()) {
            vec![Group::All]
        } else {
            vec![Group::Address(client), Group::Network(client.network()), Group::All]
        };
        let mut table = self.table();
        for group in &groups {
            if table.count(*group) >= self.limit(*group) && !table.end_longest_silent(*group, self.now()) {
                return None;
            }
        }
        let activity = Arc::new(Activity::new(self.epoch));
        let id = table.add(Arc::clone(&activity), groups);
        Some(Place { id, connections: Arc::clone(self), activity })
    }

    /// Ends the connection whose client has been silent the longest, if any waits for its client.
    pub fn make_room(&self) {
        self.table().end_longest_silent(Group::All, self.now());
    }

    /// Waits until few of the connections that were told to end are still there. They end by themselves, whatever
    /// their clients do.
    pub async fn few_are_ending(&self) {
        self.wait_until(|table| table.ending <= MOST_ENDING).await;
    }

    /// Waits until no connection is open.
    pub async fn none_is_open(&self) {
        self.wait_until(|table| table.open.is_empty() && table.ending == 0).await;
    }

    async fn wait_until(&self, holds: impl Fn(&Table) -> bool) {
        loop {
            let closed = self.closed.notified();
            tokio::pin!(closed);
            // From here on no notification is missed.
            closed.as_mut().enable();
            if holds(&self.table()) {
                return;
            }
            closed.await;
        }
    }

    fn limit(&self, group: Group) -> usize {
        match group {
            Group::Address(_) => self.per_address,
            Group::Network(_) => self.per_network,
            Group::All => self.all,
        }
    }

    fn now(&self) -> u64 {
        nanoseconds_since(self.epoch)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.connections.table();
        if table.remove(self.id).is_none() {
            table.ending -= 1;
        }
        drop(table);
        self.connections.closed.notify_waiters();
    }
}

impl Table {
    fn count(&self, group: Group) -> usize {
        self.groups.get(&group).map_or(0, BTreeSet::len)
    }

    fn add(&mut self, activity: Arc<Activity>, groups: Vec<Group>) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let seen = activity.progress();
        for group in &groups {
            self.groups.entry(*group).or_default().insert((seen, id));
        }
        self.open.insert(id, Member { activity, groups, seen });
        id
    }

    fn remove(&mut self, id: u64) -> Option<Member> {
        let member = self.open.remove(&id)?;
        for group in &member.groups {
            if let Some(members) = self.groups.get_mut(group) {
                members.remove(&(member.seen, id));
                if members.is_empty() {
                    self.groups.remove(group);
                }
            }
        }
        Some(member)
    }

    fn end_longest_silent(&mut self, group: Group, now: u64) -> bool {
        let Some(member) = self.longest_silent(group, now).and_then(|id| self.remove(id)) else {
            return false;
        };
        member.activity.end();
        self.ending += 1;
        true
    }

    /// The member of a group whose client has been silent the longest, leaving out those whose request we are answering.
    fn longest_silent(&mut self, group: Group, now: u64) -> Option<u64> {
        loop {
            let &(seen, id) = self.groups.get(&group)?.first()?;
            if seen > now {
                return None;
            }
            let member = self.open.get_mut(&id)?;
            let progress = if member.activity.is_working() {
                now + LEFT_OUT.as_nanos() as u64
            } else {
                member.activity.progress().min(now)
            };
            if progress <= seen {
                return Some(id);
            }
            member.seen = progress;
            for group in &member.groups {
                if let Some(members) = self.groups.get_mut(group) {
                    members.remove(&(seen, id));
                    members.insert((progress, id));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::http::server::activity::Answering;

    fn connections(all: usize, per_address: usize, per_network: usize) -> Arc<Connections> {
        let limits = Limits {
            connections: all,
            connections_per_address: per_address,
            connections_per_network: per_network,
            ..Config::default().limits
        };
        Arc::new(Connections::new(&limits))
    }

    fn admit(connections: &Arc<Connections>, peer: &str) -> Option<Place> {
        let trusted = TrustedProxies::parse(&["10.0.0.1".into()]).expect("an address");
        connections.admit(peer.parse().expect("an address"), &trusted)
    }

    /// Which of these were told to end, by their place in the list.
    fn told_to_end(places: &[Place]) -> Vec<usize> {
        let is_open = |place: &Place| place.connections.table().open.contains_key(&place.id);
        (0..places.len()).filter(|at| !is_open(&places[*at])).collect()
    }

    #[test]
    fn the_longest_silent_one_makes_room_in_the_group_that_is_full() {
        let one = "192.0.2.1";
        for (limits, peers, newcomer, ended) in [
            // Everything is full: whoever is silent the longest.
            ((3, 0, 0), vec!["198.51.100.1", one, one], "203.0.113.1", vec![0]),
            // An address at its share, also a /64, which counts as one.
            ((9, 2, 0), vec!["198.51.100.1", one, one], one, vec![1]),
            ((9, 2, 0), vec!["2001:db8::1", "2001:db8:0:1::1", "2001:db8::2"], "2001:db8::3", vec![0]),
            ((9, 2, 0), vec![one, "192.0.2.2"], one, vec![]),
            // A network at its share: a /24 or a /48.
            ((9, 0, 2), vec!["198.51.100.1", "192.0.2.2", "192.0.2.3"], one, vec![1]),
            ((9, 0, 2), vec!["2001:db8:0:1::1", "2001:db8:0:2::1"], "2001:db8:0:3::1", vec![0]),
            // A trusted proxy has no share, however its address is written, but a place like any other.
            ((9, 1, 1), vec!["10.0.0.1", "::ffff:10.0.0.1"], "10.0.0.1", vec![]),
            ((2, 1, 1), vec!["10.0.0.1", "10.0.0.1"], one, vec![0]),
        ] {
            let connections = connections(limits.0, limits.1, limits.2);
            let places: Vec<Place> =
                peers.iter().map(|peer| admit(&connections, peer).expect("a place")).collect();
            let new = admit(&connections, newcomer).expect("a place for the newcomer");
            assert_eq!(told_to_end(&places), ended, "{limits:?} {peers:?} {newcomer}");
            drop((places, new));
            assert!(connections.table().groups.is_empty() && connections.table().ending == 0);
        }
    }

    #[test]
    fn progress_counts_and_not_the_order_of_coming() {
        let connections = connections(3, 0, 0);
        let mut places: Vec<Place> =
            (1..=3).map(|host| admit(&connections, &format!("192.0.2.{host}")).expect("a place")).collect();
        places[0].activity.note_request();
        places[1].activity.note_progress();
        for expected in [vec![2], vec![0, 2], vec![0, 1, 2]] {
            places.push(admit(&connections, "198.51.100.1").expect("a place"));
            assert_eq!(told_to_end(&places), expected);
        }
    }

    #[test]
    fn a_connection_that_waits_for_us_is_never_ended_and_a_newcomer_that_finds_only_such_is_refused() {
        let connections = connections(2, 0, 0);
        let first = admit(&connections, "192.0.2.1").expect("a place");
        let working = Answering::begin(&first.activity);
        let second = admit(&connections, "192.0.2.2").expect("a place");
        let third = admit(&connections, "192.0.2.3").expect("the place of the second");
        let also_working = Answering::begin(&third.activity);
        assert!(admit(&connections, "192.0.2.4").is_none());
        let places = [first, second, third];
        assert_eq!(told_to_end(&places), [1]);
        drop((working, also_working));
        let later = connections.now() + LEFT_OUT.as_nanos() as u64;
        assert!(connections.table().end_longest_silent(Group::All, later));
        assert_eq!(told_to_end(&places), [0, 1]);
    }

    #[tokio::test]
    async fn whoever_waits_for_the_end_of_connections_is_told() {
        let connections = connections(1, 0, 0);
        let mut places = vec![admit(&connections, "192.0.2.1").expect("a place")];
        while connections.table().ending <= MOST_ENDING {
            places.push(admit(&connections, "192.0.2.1").expect("a place"));
        }
        let waiting = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move {
                connections.few_are_ending().await;
                connections.none_is_open().await;
            })
        };
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        places[0].activity.ended().await;
        drop(places);
        tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("told").expect("no panic");
    }
}
