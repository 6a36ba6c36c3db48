//! Tickets and the door.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::event::EventFacts;
use crate::model::Role;

tables! {
    /// A content file without `[door]` has the lists of [`Door::lists_of`] and sends tickets a week and a day before.
    #[serde(default)]
    pub struct Door {
        /// How many days before the event everybody is sent their ticket. Empty: never.
        pub tickets_before_days: Vec<u32>,
        /// What each role is asked to bring.
        pub bring: BTreeMap<Role, String>,
        pub lists: Vec<DoorList>,
    }

    /// Who is let in, to what.
    pub struct DoorList {
        pub key: String,
        pub label: String,
        pub day: NaiveDate,
        /// Empty: everybody.
        #[serde(default)]
        pub roles: Vec<Role>,
    }
}

impl Default for Door {
    fn default() -> Door {
        Door { tickets_before_days: vec![7, 1], bring: BTreeMap::new(), lists: Vec::new() }
    }
}

impl DoorList {
    /// Whether somebody of this role is let in, who may come on `only_day` alone or on every day.
    pub fn includes(&self, role: Role, only_day: Option<&str>) -> bool {
        (self.roles.is_empty() || self.roles.contains(&role))
            && only_day.is_none_or(|day| day == self.day.to_string())
    }
}

impl Door {
    /// The lists of the content, or those of a two-day event with a gala on its last evening.
    pub fn lists_of(&self, event: &EventFacts) -> Vec<DoorList> {
        if !self.lists.is_empty() {
            return self.lists.clone();
        }
        let list = |key: &str, label: &str, day| DoorList {
            key: key.to_owned(),
            label: label.to_owned(),
            day,
            roles: Vec::new(),
        };
        vec![
            list("day-1", "Day 1", event.first_day),
            list("day-2", "Day 2", event.last_day),
            list("gala", "Gala", event.last_day),
        ]
    }
}
