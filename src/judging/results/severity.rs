//! How the judges of a panel differ. It informs the organiser and changes no result.

use super::{Entry, Field, Fraction, Halves, Sheet, fraction, half_points};

/// With fewer entries, of a panel or of one judge, the statistics are meaningless.
const MIN_ENTRIES: usize = 8;

/// How one judge differs from the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Severity {
    pub judge: i64,
    /// The mean difference from the mean of the others, in points.
    pub distance: f64,
    /// The standard deviation of the judge's totals.
    pub spread: f64,
    /// The rank correlation with the mean of the others, from -1 to 1; `None` if it is undefined.
    pub agreement: Option<f64>,
}

/// A judge's sheet that is far from the panel's median.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlier {
    pub code: String,
    pub judge: i64,
    /// The judge's total minus the median.
    pub distance: Fraction,
}

/// `None` below eight entries; without judges who scored fewer.
pub fn severity(field: &Field<'_>) -> Option<Vec<Severity>> {
    let entries: Vec<&Entry> =
        field.entries.iter().filter(|one| !one.is_disqualified && one.sheets.len() > 1).collect();
    if entries.len() < MIN_ENTRIES {
        return None;
    }
    let mut judges: Vec<i64> =
        entries.iter().flat_map(|entry| entry.sheets.iter().map(|sheet| sheet.judge)).collect();
    judges.sort_unstable();
    judges.dedup();
    Some(judges.into_iter().filter_map(|judge| of_judge(&entries, judge)).collect())
}

fn of_judge(entries: &[&Entry], judge: i64) -> Option<Severity> {
    let pairs = entries.iter().filter_map(|entry| {
        let own = entry.sheets.iter().find(|sheet| sheet.judge == judge)?;
        let others = entry.sheets.iter().map(Sheet::total).sum::<Halves>() - own.total();
        Some((own.total() as f64 / 2.0, others as f64 / 2.0 / (entry.sheets.len() - 1) as f64))
    });
    let (own, others): (Vec<f64>, Vec<f64>) = pairs.unzip();
    (own.len() >= MIN_ENTRIES).then(|| Severity {
        judge,
        distance: mean(&own) - mean(&others),
        spread: variance(&own).sqrt(),
        agreement: correlation(&ranks(&own), &ranks(&others)),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64
}

/// The position of each value among all; equal values share the mean of their positions.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let (a, b) = (mean(one), mean(other));
    let shared = one.iter().zip(other).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / one.len().max(1) as f64;
    let spread = (variance(one) * variance(other)).sqrt();
    (spread > 0.0).then(|| shared / spread)
}

/// The sheets that are further from their panel's median than the rubric's `second_look_points`.
pub fn suggested_second_looks(field: &Field<'_>) -> Vec<Outlier> {
    let limit = Halves::from(field.rubric.second_look_points) * 2;
    let mut found = Vec::new();
    for entry in field.entries.iter().filter(|entry| limit > 0 && entry.sheets.len() > 2) {
        let mut totals: Vec<Halves> = entry.sheets.iter().map(Sheet::total).collect();
        totals.sort_unstable();
        let middle = totals.len() / 2;
        // Twice the median, so that it is whole.
        let median =
            if totals.len() % 2 == 1 { totals[middle] * 2 } else { totals[middle - 1] + totals[middle] };
        for sheet in &entry.sheets {
            let distance = sheet.total() * 2 - median;
            if distance.abs() > limit * 2 {
                let distance = half_points(distance) / fraction::whole(2);
                found.push(Outlier { code: entry.code.clone(), judge: sheet.judge, distance });
            }
        }
    }
    found
}
