//! Exact fractions, and how they are written.

use num_rational::BigRational;

use super::Halves;

pub type Fraction = BigRational;

/// A number of points that is stored in halves.
pub fn half_points(halves: Halves) -> Fraction {
    Fraction::new(halves.into(), 2.into())
}

pub fn whole(number: usize) -> Fraction {
    Fraction::from_integer(number.into())
}

/// With two decimals, halves rounded away from zero: '83.89', '-3.61'.
pub fn decimal(value: &Fraction) -> String {
    let cents = (value * whole(100)).round().to_integer();
    let text = cents.magnitude().to_string();
    let (units, decimals) = match text.len() {
        0..=2 => ("0", text.as_str()),
        length => text.split_at(length - 2),
    };
    let sign = if cents < 0.into() { "-" } else { "" };
    format!("{sign}{units}.{decimals:0>2}")
}

/// Solves symmetric linear equations (each row: its coefficients, then its right side) with the first unknown set to 0. An
/// unknown that the equations leave open is `None`.
pub fn solve_with_first_zero(mut rows: Vec<Vec<Fraction>>) -> Vec<Option<Fraction>> {
    let (count, zero) = (rows.len(), half_points(0));
    let mut pivots: Vec<Option<usize>> = vec![None; count];
    let mut next = 1;
    for column in 1..count {
        let Some(found) = (next..count).find(|row| rows[*row][column] != zero) else { continue };
        rows.swap(next, found);
        let pivot = rows[next].clone();
        for (index, row) in rows.iter_mut().enumerate().skip(1) {
            if index == next || row[column] == zero {
                continue;
            }
            let factor = &row[column] / &pivot[column];
            for (value, above) in row.iter_mut().zip(&pivot).skip(1) {
                *value -= &factor * above;
            }
        }
        pivots[column] = Some(next);
        next += 1;
    }
    let is_free = |column: usize| column > 0 && pivots[column].is_none();
    (0..count)
        .map(|column| {
            if column == 0 {
                return Some(zero.clone());
            }
            let row = &rows[pivots[column]?];
            let depends = (1..count).any(|other| is_free(other) && row[other] != zero);
            (!depends).then(|| &row[count] / &row[column])
        })
        .collect()
}
