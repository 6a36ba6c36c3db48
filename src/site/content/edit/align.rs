//! Finds the members of a list again in a later version of it.

use serde_json::Value;

/// The keys that tell members of a list apart, the strongest first.
const NAMES: [&str; 8] = ["id", "slug", "key", "value", "name", "label", "title", "question"];

/// The text that tells a member of a list apart from the others, if it has one.
pub fn name_of(member: &Value) -> Option<&str> {
    let text = |name: &&str| member.get(*name).and_then(Value::as_str).filter(|text| !text.is_empty());
    NAMES.iter().find_map(text)
}

/// For each new member, the old one that it was. Equal members are found first, then those of the same name, and those that
/// are left are taken in their order.
pub fn align(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut taken = vec![false; old.len()];
    for (index, member) in new.iter().enumerate() {
        if old.get(index) == Some(member) {
            (found[index], taken[index]) = (Some(index), true);
        }
    }
    let is_equal = |before: &Value, after: &Value| before == after;
    pair(old, new, &mut found, &mut taken, is_equal);
    for name in NAMES {
        let is_named_alike = |before: &Value, after: &Value| {
            let text =
                |member: &Value| member.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            !text(after).is_empty() && text(before) == text(after)
        };
        pair(old, new, &mut found, &mut taken, is_named_alike);
    }
    let mut left = (0..old.len()).filter(|index| !taken[*index]).collect::<Vec<_>>().into_iter();
    for place in found.iter_mut().filter(|place| place.is_none()) {
        *place = left.next();
    }
    found
}

fn pair(
    old: &[Value],
    new: &[Value],
    found: &mut [Option<usize>],
    taken: &mut [bool],
    is_same: impl Fn(&Value, &Value) -> bool,
) {
    for (index, member) in
        new.iter().enumerate().filter(|(index, _)| found[*index].is_none()).collect::<Vec<_>>()
    {
        let same = (0..old.len()).find(|place| !taken[*place] && is_same(&old[*place], member));
        if let Some(place) = same {
            (found[index], taken[place]) = (Some(place), true);
        }
    }
}

/// Whether no member was added, removed or moved.
pub fn is_in_place(aligned: &[Option<usize>], old: &[Value]) -> bool {
    aligned.len() == old.len() && aligned.iter().enumerate().all(|(index, before)| *before == Some(index))
}

/// The positions of `aligned` whose members have moved past others: all that are not in its longest increasing part.
pub fn moved(aligned: &[Option<usize>]) -> Vec<usize> {
    let places: Vec<(usize, usize)> =
        aligned.iter().enumerate().filter_map(|(index, before)| Some((index, (*before)?))).collect();
    // `best[i]`: the length of the longest increasing part that ends with `places[i]`, and the one before it there.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(places.len());
    for (position, (_, before)) in places.iter().enumerate() {
        let previous =
            (0..position).filter(|other| places[*other].1 < *before).max_by_key(|other| best[*other].0);
        best.push((previous.map_or(1, |other| best[other].0 + 1), previous));
    }
    let mut stays = vec![false; places.len()];
    let mut at = (0..best.len()).max_by_key(|position| best[*position].0);
    while let Some(position) = at {
        stays[position] = true;
        at = best[position].1;
    }
    places.iter().zip(stays).filter(|(_, stays)| !stays).map(|((index, _), _)| *index).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn aligned(old: &Value, new: &Value) -> Vec<Option<usize>> {
        align(old.as_array().expect("a list"), new.as_array().expect("a list"))
    }

    #[test]
    fn members_are_found_again_when_they_move_and_change() {
        for (old, new, expected) in [
            (json!(["a", "b"]), json!(["a", "b"]), vec![Some(0), Some(1)]),
            (json!(["a", "b"]), json!(["x", "a", "b"]), vec![None, Some(0), Some(1)]),
            (json!(["a", "b", "c"]), json!(["a", "c"]), vec![Some(0), Some(2)]),
            (json!(["a", "b"]), json!(["a", "B"]), vec![Some(0), Some(1)]),
            (
                json!([{"name": "Ada", "x": 1}, {"name": "Bo"}]),
                json!([{"name": "Bo"}, {"name": "Ada", "x": 2}]),
                vec![Some(1), Some(0)],
            ),
            (json!([]), json!([1]), vec![None]),
        ] {
            assert_eq!(aligned(&old, &new), expected, "{old} {new}");
        }
    }

    #[test]
    fn only_the_member_that_was_taken_out_has_moved() {
        assert_eq!(moved(&[Some(1), Some(2), Some(3), Some(0)]), [3]);
        assert_eq!(moved(&[Some(3), Some(0), None, Some(1), Some(2)]), [0]);
        assert_eq!(moved(&[Some(0), None, Some(1)]), [0; 0]);
    }
}
