//! Types that several sections share.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

/// A list with at least one member.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Vec<T>")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NonEmpty<T>(Vec<T>);

impl<T> TryFrom<Vec<T>> for NonEmpty<T> {
    type Error = &'static str;

    fn try_from(members: Vec<T>) -> Result<Self, Self::Error> {
        if members.is_empty() { Err("this list needs at least one member") } else { Ok(NonEmpty(members)) }
    }
}

impl<T> Deref for NonEmpty<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a NonEmpty<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> DerefMut for NonEmpty<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

tables! {
    /// A button or a link: `/path` on this site, `https://...`, or `mailto:...`.
    pub struct Link {
        pub label: String,
        pub href: String,
    }

    /// A heading with a text.
    pub struct Item {
        pub title: String,
        pub text: String,
    }

    /// A heading with a list.
    pub struct Points {
        pub title: String,
        pub points: NonEmpty<String>,
    }

    pub struct Card {
        pub title: String,
        pub text: String,
        pub link: Link,
    }

    pub struct Closing {
        pub title: String,
        pub text: String,
        pub buttons: NonEmpty<Link>,
    }
}
