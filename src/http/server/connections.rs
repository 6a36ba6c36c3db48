//! The table of open connections: limits them for each address, each network and in total.
//!
//! At a limit a new connection replaces the one whose client has been silent the longest, unless all others have a
//! request that we are working on. Requests do not touch this table: a connection records what it does in its own
//! [`Activity`], which is read only when a limit is reached.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::activity::{Activity, nanoseconds_since};
use crate::config::{Limits, TrustedProxies};
use crate::http::client_ip::Client;

/// How long a connection whose request we are working on is skipped before it is examined again.
const SKIP_FOR: Duration = Duration::from_millis(100);
/// The most connections that are ending but still have their socket open. It is below the number of files that `serve`
/// reserves besides `limits.connections`.
const MAX_ENDING: usize = 100;

/// The connections that share a limit.
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
    /// The members of each group, ordered by the progress that was last seen. A member that has made progress since is
    /// moved when it comes first.
    groups: HashMap<Group, BTreeSet<Seen>>,
    /// Connections that were ended but are not closed yet.
    ending: usize,
}

struct Member {
    activity: Arc<Activity>,
    groups: Vec<Group>,
    seen: u64,
}

/// An accepted connection's slot in the table, released when dropped.
pub struct Slot {
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

    /// A slot for a connection from `peer`. If its address, its network or the table is full, the connection among them
    /// whose client has been silent the longest is ended. A trusted proxy is only limited in total.
    ///
    /// Returns `None` if all of them have a request that we are working on. The new connection must then be closed.
    pub fn admit(self: &Arc<Self>, peer: IpAddr, trusted: &TrustedProxies) -> Option<Slot> {
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
        Some(Slot { id, connections: Arc::clone(self), activity })
    }

    /// Ends the connection whose client has been silent the longest, except those whose request we are working on.
    pub fn close_longest_silent(&self) {
        self.table().end_longest_silent(Group::All, self.now());
    }

    /// Waits until at most [`MAX_ENDING`] connections are ending. They close whatever their clients do.
    pub async fn few_are_ending(&self) {
        self.wait_until(|table| table.ending <= MAX_ENDING).await;
    }

    /// Waits until no connection is open.
    pub async fn all_closed(&self) {
        self.wait_until(|table| table.open.is_empty() && table.ending == 0).await;
    }

    async fn wait_until(&self, holds: impl Fn(&Table) -> bool) {
        loop {
            let closed = self.closed.notified();
            tokio::pin!(closed);
            // Register before checking, so that no notification is missed.
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

impl Drop for Slot {
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

    /// The member of a group whose client has been silent the longest, except those whose request we are working on.
    fn longest_silent(&mut self, group: Group, now: u64) -> Option<u64> {
        loop {
            let &(seen, id) = self.groups.get(&group)?.first()?;
            if seen > now {
                return None;
            }
            let member = self.open.get_mut(&id)?;
            let progress = if member.activity.is_working() {
                now + SKIP_FOR.as_nanos() as u64
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

    fn admit(connections: &Arc<Connections>, peer: &str) -> Option<Slot> {
        let trusted = TrustedProxies::parse(&["10.0.0.1".into()]).expect("an address");
        connections.admit(peer.parse().expect("an address"), &trusted)
    }

    /// The indexes of the slots whose connections were ended.
    fn ended_indexes(slots: &[Slot]) -> Vec<usize> {
        let is_open = |slot: &Slot| slot.connections.table().open.contains_key(&slot.id);
        (0..slots.len()).filter(|index| !is_open(&slots[*index])).collect()
    }

    #[test]
    fn the_longest_silent_connection_of_the_full_group_is_ended() {
        let one = "192.0.2.1";
        for (limits, peers, newcomer, ended) in [
            // The table is full: the longest silent of all.
            ((3, 0, 0), vec!["198.51.100.1", one, one], "203.0.113.1", vec![0]),
            // An address is full; a /64 counts as one.
            ((9, 2, 0), vec!["198.51.100.1", one, one], one, vec![1]),
            ((9, 2, 0), vec!["2001:db8::1", "2001:db8:0:1::1", "2001:db8::2"], "2001:db8::3", vec![0]),
            ((9, 2, 0), vec![one, "192.0.2.2"], one, vec![]),
            // A network is full: a /24 or a /48.
            ((9, 0, 2), vec!["198.51.100.1", "192.0.2.2", "192.0.2.3"], one, vec![1]),
            ((9, 0, 2), vec!["2001:db8:0:1::1", "2001:db8:0:2::1"], "2001:db8:0:3::1", vec![0]),
            // A trusted proxy, however its address is written, is only limited in total.
            ((9, 1, 1), vec!["10.0.0.1", "::ffff:10.0.0.1"], "10.0.0.1", vec![]),
            ((2, 1, 1), vec!["10.0.0.1", "10.0.0.1"], one, vec![0]),
        ] {
            let connections = connections(limits.0, limits.1, limits.2);
            let slots: Vec<Slot> =
                peers.iter().map(|peer| admit(&connections, peer).expect("a slot")).collect();
            let new = admit(&connections, newcomer).expect("a slot for the newcomer");
            assert_eq!(ended_indexes(&slots), ended, "{limits:?} {peers:?} {newcomer}");
            drop((slots, new));
            assert!(connections.table().groups.is_empty() && connections.table().ending == 0);
        }
    }

    #[test]
    fn the_order_is_by_progress_and_not_by_arrival() {
        let connections = connections(3, 0, 0);
        let mut slots: Vec<Slot> =
            (1..=3).map(|host| admit(&connections, &format!("192.0.2.{host}")).expect("a slot")).collect();
        slots[0].activity.note_request();
        slots[1].activity.note_progress();
        for expected in [vec![2], vec![0, 2], vec![0, 1, 2]] {
            slots.push(admit(&connections, "198.51.100.1").expect("a slot"));
            assert_eq!(ended_indexes(&slots), expected);
        }
    }

    #[test]
    fn a_connection_whose_request_we_are_working_on_is_never_ended_and_if_all_have_one_a_new_one_is_refused()
    {
        let connections = connections(2, 0, 0);
        let first = admit(&connections, "192.0.2.1").expect("a slot");
        let working = Answering::begin(&first.activity);
        let second = admit(&connections, "192.0.2.2").expect("a slot");
        let third = admit(&connections, "192.0.2.3").expect("the slot of the second");
        let also_working = Answering::begin(&third.activity);
        assert!(admit(&connections, "192.0.2.4").is_none());
        let slots = [first, second, third];
        assert_eq!(ended_indexes(&slots), [1]);
        drop((working, also_working));
        let later = connections.now() + SKIP_FOR.as_nanos() as u64;
        assert!(connections.table().end_longest_silent(Group::All, later));
        assert_eq!(ended_indexes(&slots), [0, 1]);
    }

    #[tokio::test]
    async fn waiting_for_closed_connections_ends_when_they_are_closed() {
        let connections = connections(1, 0, 0);
        let mut slots = vec![admit(&connections, "192.0.2.1").expect("a slot")];
        while connections.table().ending <= MAX_ENDING {
            slots.push(admit(&connections, "192.0.2.1").expect("a slot"));
        }
        let waiting = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move {
                connections.few_are_ending().await;
                connections.all_closed().await;
            })
        };
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        slots[0].activity.ended().await;
        drop(slots);
        tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("notified").expect("no panic");
    }
}
