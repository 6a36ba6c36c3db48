//! What happens under one seed: rounds of people who use the site at the same time, and the faults that hit it
//! meanwhile. A plan is data, so that it can be printed and repeated.

use chrono::{DateTime, TimeDelta, Utc};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use showcase::model::Kind;

use crate::support::samples::FREE_KINDS;

#[derive(Debug)]
pub struct Plan {
    pub seed: u64,
    /// What the server's clock shows at its first start.
    pub start: DateTime<Utc>,
    pub rounds: Vec<Round>,
}

/// People who begin at the same time. The round ends when each of them has what they came for.
#[derive(Debug)]
pub struct Round {
    pub tasks: Vec<Task>,
    /// Each fault begins when this many requests of the round have been answered, or when the last task has ended.
    pub faults: Vec<(usize, Fault)>,
}

#[derive(Debug)]
pub enum Task {
    /// With a key, the browser repeats the request until it is answered; without one it sends it once.
    Register {
        kind: Kind,
        email: String,
        with_key: bool,
    },
    Enter {
        email: String,
        payer: Payer,
    },
    /// Enters, signs in to the Artist Portal and uploads a photo.
    Upload {
        email: String,
    },
    /// Imports the content that has this number in its title.
    Import {
        number: usize,
    },
    RollBack,
    BackUp {
        name: String,
    },
    /// Sends the payment events that wait.
    SendEvents {
        reverse: bool,
        times: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Payer {
    /// Pays, and the browser says so to the server.
    Stays,
    /// Pays and closes the browser.
    Leaves,
    /// Has a card declined before paying with another one.
    IsDeclinedFirst,
    NeverPays,
}

#[derive(Debug)]
pub enum Fault {
    Kill,
    Terminate,
    /// The process stops and continues.
    Freeze {
        milliseconds: u64,
    },
    FullDisk {
        milliseconds: u64,
    },
    /// The server is killed and cannot start before the disk is writable again.
    ReadOnlyDisk,
    /// The mail server is away until the end of the round.
    MailAway,
    /// The next requests to Stripe fail, before or after it has done its work.
    Stripe {
        kind: &'static str,
        when: &'static str,
        times: u32,
    },
    /// The server is killed and starts again at another time.
    Clock {
        to: DateTime<Utc>,
    },
    /// The server is killed, backed up, and replaced by that backup.
    Restore,
}

impl Plan {
    pub fn new(seed: u64) -> Plan {
        let mut random = StdRng::seed_from_u64(seed);
        let (start, mut instants) = clock(&mut random);
        let mut last = 0;
        let rounds = (0..random.random_range(2..=3)).map(|_| round(&mut random, &mut last, &mut instants));
        Plan { seed, start, rounds: rounds.collect() }
    }
}

/// The server's first start, at eight in the morning before a change between summer and winter time, and the instants for
/// `Fault::Clock`, in reverse order because `fault` pops them. All lie within sixty hours: an email is given up after three
/// days.
fn clock(random: &mut StdRng) -> (DateTime<Utc>, Vec<DateTime<Utc>>) {
    let (change, nine_before, nine_after) = *[
        // The hour from one to two in the night of 1 November 2026 happens twice.
        ("2026-11-01T06:00:00Z", "2026-10-31T13:00:00Z", "2026-11-01T14:00:00Z"),
        // The hour from two to three in the night of 14 March 2027 does not exist.
        ("2027-03-14T07:00:00Z", "2027-03-13T14:00:00Z", "2027-03-14T13:00:00Z"),
    ]
    .choose(random)
    .expect("two changes");
    let at = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
    let monday = at(nine_after) + TimeDelta::days(1);
    let mut instants = Vec::new();
    for moment in [at(nine_before), at(change), at(nine_after), monday] {
        for seconds in [-45, 30] {
            if random.random_bool(0.7) {
                instants.push(moment + TimeDelta::seconds(seconds));
                // A clock that was ahead is set back.
                if random.random_bool(0.15) {
                    instants.push(moment - TimeDelta::hours(1));
                }
            }
        }
    }
    instants.reverse();
    (at(nine_before) - TimeDelta::hours(1), instants)
}

/// A number that occurs once in a plan.
fn number(last: &mut usize) -> usize {
    *last += 1;
    *last
}

fn email(last: &mut usize) -> String {
    format!("person{}@example.com", number(last))
}

fn round(random: &mut StdRng, last: &mut usize, instants: &mut Vec<DateTime<Utc>>) -> Round {
    let mut tasks = Vec::new();
    for _ in 0..random.random_range(4..=9) {
        let kind = *FREE_KINDS.choose(random).expect("kinds");
        tasks.push(Task::Register { kind, email: email(last), with_key: random.random_bool(0.7) });
    }
    for _ in 0..random.random_range(2..=5) {
        let payers = [Payer::Stays, Payer::Stays, Payer::Leaves, Payer::IsDeclinedFirst, Payer::NeverPays];
        tasks.push(Task::Enter { email: email(last), payer: *payers.choose(random).expect("payers") });
    }
    if random.random_bool(0.6) {
        tasks.push(Task::Upload { email: email(last) });
    }
    if random.random_bool(0.5) {
        tasks.push(Task::Import { number: number(last) });
    }
    if random.random_bool(0.2) {
        tasks.push(Task::RollBack);
    }
    if random.random_bool(0.4) {
        tasks.push(Task::BackUp { name: format!("copy{}.db", number(last)) });
    }
    if random.random_bool(0.5) {
        tasks.push(Task::SendEvents { reverse: random.random(), times: random.random_range(1..=2) });
    }
    let mut faults: Vec<(usize, Fault)> = (0..random.random_range(2..=4))
        .map(|_| (random.random_range(0..25), fault(random, instants)))
        .collect();
    faults.sort_by_key(|(after, _)| *after);
    Round { tasks, faults }
}

fn fault(random: &mut StdRng, instants: &mut Vec<DateTime<Utc>>) -> Fault {
    let milliseconds = random.random_range(50..1000);
    match random.random_range(0..100) {
        0..25 => Fault::Kill,
        25..30 => Fault::Terminate,
        30..40 => Fault::Freeze { milliseconds },
        40..52 => Fault::FullDisk { milliseconds },
        52..57 => Fault::ReadOnlyDisk,
        57..66 => Fault::MailAway,
        66..78 => {
            let kind = *["status", "close", "hang"].choose(random).expect("kinds");
            let when = if random.random() { "before" } else { "after" };
            Fault::Stripe { kind, when, times: random.random_range(1..=3) }
        }
        78..83 => Fault::Restore,
        _ => instants.pop().map_or(Fault::Kill, |to| Fault::Clock { to }),
    }
}
