//! The states of a nomination and what leads from one to another.

use crate::model::NominationState;

/// What happens to a nomination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The competitor hands it in.
    HandIn,
    /// The organiser asks for some slots again.
    Return,
    /// The organiser finds it fit for the judges, or takes a return back.
    MarkReady,
    /// The organiser gives it a later deadline, which also opens a forfeited one again.
    Extend,
    /// It missed its deadline, and the organiser says so: time alone never does.
    Forfeit,
    Disqualify,
    /// The entry was withdrawn, or refunded as a whole.
    Withdraw,
}

impl Step {
    #[cfg(test)]
    const ALL: [Step; 7] = [
        Step::HandIn,
        Step::Return,
        Step::MarkReady,
        Step::Extend,
        Step::Forfeit,
        Step::Disqualify,
        Step::Withdraw,
    ];
}

/// The state after a step; `None` if the step is not possible in this state. A withdrawal that is taken back is not here: the
/// nomination has the state again that it had (`store::portal::nominations::reinstate`).
pub fn after(state: NominationState, step: Step) -> Option<NominationState> {
    use NominationState::{Disqualified, Forfeited, HandedIn, Open, Ready, Returned, Withdrawn};
    match (step, state) {
        (Step::HandIn, Open | Returned) => Some(HandedIn),
        (Step::Return, HandedIn | Ready | Returned) => Some(Returned),
        (Step::MarkReady, HandedIn | Returned) => Some(Ready),
        (Step::Extend, Open | Forfeited) => Some(Open),
        (Step::Extend, Returned) => Some(Returned),
        (Step::Forfeit, Open | Returned) => Some(Forfeited),
        (Step::Disqualify, Open | HandedIn | Returned | Ready | Forfeited) => Some(Disqualified),
        (Step::Withdraw, Open | HandedIn | Returned | Ready | Forfeited) => Some(Withdrawn),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_leads_where_the_table_says_and_nowhere_else() {
        // One row a step; a column each for open, handed_in, returned, ready, withdrawn, forfeited, disqualified.
        let table = [
            (Step::HandIn, ["handed_in", "", "handed_in", "", "", "", ""]),
            (Step::Return, ["", "returned", "returned", "returned", "", "", ""]),
            (Step::MarkReady, ["", "ready", "ready", "", "", "", ""]),
            (Step::Extend, ["open", "", "returned", "", "", "open", ""]),
            (Step::Forfeit, ["forfeited", "", "forfeited", "", "", "", ""]),
            (
                Step::Disqualify,
                ["disqualified", "disqualified", "disqualified", "disqualified", "", "disqualified", ""],
            ),
            (Step::Withdraw, ["withdrawn", "withdrawn", "withdrawn", "withdrawn", "", "withdrawn", ""]),
        ];
        assert_eq!(table.map(|(step, _)| step), Step::ALL);
        for (step, row) in table {
            for (state, expected) in NominationState::ALL.into_iter().zip(row) {
                let expected = (!expected.is_empty()).then_some(expected);
                assert_eq!(after(state, step).map(NominationState::as_str), expected, "{step:?} in {state}");
            }
        }
    }
}
