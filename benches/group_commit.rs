//! Durable inserts from 64 clients: one transaction per record compared with the writer's group commit, in one run. It is
//! measured first with the disk's own flushes, then with flushes of at least a millisecond, as on a small server's network
//! disk: the slower a flush, the more it helps to share one. Without group commit, either each client has its own
//! connection, like the handlers of a server with a pool, or all share one connection behind a lock, which is the fastest
//! way to commit records one by one.
//!
//! Run: `cargo bench --bench group_commit`. Aim: at least 15 times as many inserts with group commit.
//! Both sides write the waitlist record like a registration, without its email and audit line.

#![expect(unsafe_code, reason = "the C library's flush is replaced by a slower one")]

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use showcase::forms;
use showcase::forms::Offered;
use showcase::forms::Record;
use showcase::model::Kind;
use showcase::store::Store;
use showcase::store::migrate;
use showcase::store::open_connection;
use showcase::store::registrations;
use showcase::store::registrations::ExtraColumns;

const CLIENTS: u64 = 64;
const IN_A_ROW: u64 = 64 * 64;
const NOW: &str = "2026-03-28T13:30:00.000Z";

fn record() -> Record {
    let body = serde_json::json!({ "name": "Ada Sample", "email": "ada@example.com" });
    forms::parse(Kind::WaitlistSignups, &body, &Offered::default()).expect("a valid record")
}

/// Microseconds that a flush takes in addition to the disk's own time.
static FLUSH: AtomicU64 = AtomicU64::new(0);

/// Overrides the C library's function, which SQLite uses to flush.
///
/// # Safety
/// As fdatasync(2): any number may be passed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fdatasync(file: libc::c_int) -> libc::c_int {
    let wait = FLUSH.load(Ordering::Relaxed);
    if wait > 0 {
        std::thread::sleep(Duration::from_micros(wait));
    }
    // SAFETY: the call takes a number and accesses no memory of ours.
    unsafe { libc::syscall(libc::SYS_fdatasync, file) as libc::c_int }
}

/// Runs `each` from all clients at the same time, `count` times in total, and returns how long that took.
fn by_all_clients(count: u64, each: impl Fn() + Sync) -> Duration {
    let started = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let share = count / CLIENTS + u64::from(client < count % CLIENTS);
            let each = &each;
            scope.spawn(move || (0..share).for_each(|_| each()));
        }
    });
    started.elapsed()
}

fn inserts(criterion: &mut Criterion) {
    compared(criterion, "durable_inserts_64_clients");
    FLUSH.store(1_000, Ordering::Relaxed);
    compared(criterion, "durable_inserts_64_clients_1ms_flush");
}

fn compared(criterion: &mut Criterion, name: &str) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1)).sample_size(10).measurement_time(Duration::from_secs(10));

    let one = record();
    let by_itself = |connection: &rusqlite::Connection| {
        connection.execute_batch("begin immediate").expect("begun");
        black_box(registrations::insert(connection, &one, &ExtraColumns::default(), NOW).expect("inserted"));
        connection.execute_batch("commit").expect("committed");
    };
    let pooled = folder.path().join("pooled.db");
    migrate::migrate(&pooled).expect("a database");
    let connections: Mutex<Vec<_>> =
        Mutex::new((0..CLIENTS).map(|_| open_connection(&pooled).expect("a connection")).collect());
    group.bench_function("a_transaction_a_record_a_connection_a_client", |bencher| {
        bencher.iter_custom(|count| {
            // A client that finds the database locked sleeps before it retries, so only many inserts in a row give a rate.
            let took = by_all_clients(count * IN_A_ROW, || {
                let connection = connections.lock().expect("a lock").pop().expect("one for each");
                by_itself(&connection);
                connections.lock().expect("a lock").push(connection);
            });
            took / u32::try_from(IN_A_ROW).expect("a small number")
        });
    });
    drop(connections);

    let in_turns = folder.path().join("in-turns.db");
    migrate::migrate(&in_turns).expect("a database");
    let connection = Mutex::new(open_connection(&in_turns).expect("a connection"));
    group.bench_function("a_transaction_a_record_in_turns", |bencher| {
        bencher.iter_custom(|count| by_all_clients(count, || by_itself(&connection.lock().expect("a lock"))));
    });

    let grouped = folder.path().join("grouped.db");
    migrate::migrate(&grouped).expect("a database");
    let store = Arc::new(Store::open(&grouped).expect("a store"));
    group.bench_function("group_commit", |bencher| {
        bencher.iter_custom(|count| {
            by_all_clients(count, || {
                let one = one.clone();
                let id = store.write(move |connection| {
                    registrations::insert(connection, &one, &ExtraColumns::default(), NOW)
                });
                black_box(id.expect("inserted"));
            })
        });
    });
    group.finish();
}

criterion_group!(benches, inserts);
criterion_main!(benches);
