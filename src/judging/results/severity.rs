//! How the judges of a panel differ. It informs the organiser and changes no result.

use super::{Competition, ConfirmedSheet, Entry, Fraction, Halves, fraction, half_points, judges_of};

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
pub fn severity(competition: &Competition) -> Option<Vec<Severity>> {
    let entries: Vec<&Entry> =
        competition.entries.iter().filter(|entry| !entry.is_disqualified && entry.sheets.len() > 1).collect();
    if entries.len() < MIN_ENTRIES {
        return None;
    }
    Some(judges_of(&entries).into_iter().filter_map(|judge| of_judge(&entries, judge)).collect())
}

fn of_judge(entries: &[&Entry], judge: i64) -> Option<Severity> {
    let pairs = entries.iter().filter_map(|entry| {
        let own = entry.sheets.iter().find(|sheet| sheet.judge == judge)?;
        let others = entry.sheets.iter().map(ConfirmedSheet::total).sum::<Halves>() - own.total();
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

/// Pearson's correlation coefficient; `None` if one side does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).collect();
    let spread = (variance(a) * variance(b)).sqrt();
    (spread > 0.0).then(|| mean(&products) / spread)
}

/// The sheets that are further from their panel's median than the rubric's `second_look_points`.
pub fn suggested_second_looks(competition: &Competition) -> Vec<Outlier> {
    let limit = Halves::from(competition.rubric.second_look_points) * 2;
    let mut found = Vec::new();
    for entry in competition.entries.iter().filter(|entry| limit > 0 && entry.sheets.len() > 2) {
        let mut totals: Vec<Halves> = entry.sheets.iter().map(ConfirmedSheet::total).collect();
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
