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

use books::Figures;
use plan::Plan;
use world::World;

/// Runs a plan. Panics if the books do not balance.
fn run(plan: &Plan) -> Figures {
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

/// Every plan that has one round, fault or task less.
fn shorter(plan: &Plan) -> Vec<Plan> {
    let mut plans = Vec::new();
    for round in 0..plan.rounds.len() {
        let mut without = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan.clone();
            change(&mut plan);
            plans.push(plan);
        };
        without(&|plan| drop(plan.rounds.remove(round)));
        for fault in 0..plan.rounds[round].faults.len() {
            without(&|plan| {
                plan.rounds[round].faults.remove(fault);
            });
        }
        for task in 0..plan.rounds[round].tasks.len() {
            without(&|plan| drop(plan.rounds[round].tasks.remove(task)));
        }
    }
    plans
}

/// How many runs may be spent on shortening the history of a failure.
const MAX_RUNS: usize = 20;

/// The shortest plan found that still fails, with its failure. A failure that depends on the moment may not occur again.
fn shortest(plan: &Plan, failure: String) -> (Plan, String) {
    let mut found = (plan.clone(), failure);
    let mut runs = 0;
    'search: loop {
        for plan in shorter(&found.0) {
            if runs == MAX_RUNS {
                return found;
            }
            runs += 1;
            if let Err(failure) = catch(|| run(&plan)) {
                found = (plan, failure);
                continue 'search;
            }
        }
        return found;
    }
}

/// Runs these seeds, `threads` at a time, and fails with the first one that fails.
fn run_seeds(from: u64, count: u64, threads: usize) {
    let next = AtomicU64::new(from);
    let (total, failures) = (Mutex::new(Figures::default()), Mutex::new(Vec::new()));
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
                            *total.lock().expect("a lock") += figures;
                            println!("ok     seed {seed} in {:.0} s", began.elapsed().as_secs_f32());
                        }
                        Err(failure) => {
                            println!(
                                "FAILED seed {seed}: {failure}\nLooking for a shorter history that fails …"
                            );
                            let (plan, failure) = shortest(&plan, failure);
                            println!("The shortest history of seed {seed} that fails: {plan:#?}\n{failure}");
                            failures.lock().expect("a lock").push(seed);
                        }
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("a lock");
    println!(
        "{} registrations answered, {} entries paid, {} photos, {} emails ({} of them twice), {} kills",
        total.registered, total.paid, total.uploaded, total.mails, total.doubled, total.kills
    );
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
