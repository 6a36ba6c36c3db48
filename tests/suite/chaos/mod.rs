//! Random use of the site while faults hit it. Afterwards the books must balance: what people were told is so, exactly
//! once. `tests/chaos` runs many seeds; each seed makes the same plan in every run.

mod books;
mod people;
mod plan;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use plan::Plan;
use world::World;

/// Runs a plan, and returns what it has done. Panics if the books do not balance.
fn run(plan: &Plan) -> String {
    let world = World::start(plan.start, plan.seed.is_multiple_of(3));
    for round in &plan.rounds {
        let before = world.answers.load(Ordering::Relaxed);
        let (ended, failure) = (AtomicUsize::new(0), Mutex::new(None));
        std::thread::scope(|scope| {
            for task in &round.tasks {
                let (world, ended, failure) = (&world, &ended, &failure);
                scope.spawn(move || {
                    let outcome = catch(|| people::perform(world, task));
                    ended.fetch_add(1, Ordering::Relaxed);
                    if let Err(message) = outcome {
                        failure.lock().expect("a lock").get_or_insert(format!("{task:?}: {message}"));
                    }
                });
            }
            let is_over = || ended.load(Ordering::Relaxed) == round.tasks.len();
            for (after, fault) in &round.faults {
                while world.answers.load(Ordering::Relaxed) < before + after && !is_over() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                world.inject(fault);
            }
        });
        if let Some(failure) = failure.into_inner().expect("a lock") {
            panic!("{failure}");
        }
        world.heal();
    }
    books::balance(world, plan)
}

/// What `work` returns, or why it has panicked.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        message.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default()
    })
}

/// Runs these seeds, `threads` at a time, and fails with the first one that fails.
fn run_seeds(from: u64, count: u64, threads: usize) {
    let next = AtomicU64::new(from);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + count {
                        return;
                    }
                    let (plan, began) = (Plan::new(seed), Instant::now());
                    match catch(|| run(&plan)) {
                        Ok(figures) => {
                            println!(
                                "ok     seed {seed} in {:.0} s: {figures}",
                                began.elapsed().as_secs_f32()
                            );
                        }
                        Err(failure) => {
                            println!("FAILED seed {seed}: {failure}\n{plan:#?}");
                            failures.lock().expect("a lock").push(seed);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("a lock");
    println!("{} passed, {} failed", count as usize - failures.len(), failures.len());
    assert!(failures.is_empty(), "these seeds failed: {failures:?}");
}

/// Five seeds, or those that `tests/chaos` asks for.
#[test]
fn the_books_balance_after_any_faults() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
    };
    let threads = usize::try_from(number("CHAOS_THREADS", 5)).expect("a number");
    run_seeds(number("CHAOS_FROM", 1), number("CHAOS_SEEDS", 5), threads);
}
