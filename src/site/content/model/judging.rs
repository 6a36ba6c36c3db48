//! How entries are judged: the rubric of each subcategory, and what judges accept.

use serde::{Deserialize, Serialize};

tables! {
    /// A content file without rubrics has no judging.
    #[derive(Default)]
    pub struct Judging {
        #[serde(default)]
        pub terms: JudgeTerms,
        /// What points mean, the highest first. Printed on score sheets.
        #[serde(default)]
        pub scale: Vec<ScaleStep>,
        #[serde(default)]
        pub rubrics: Vec<Rubric>,
    }

    /// What judges accept before they see their first sheet.
    #[derive(Default)]
    pub struct JudgeTerms {
        /// A new one for every change of the text.
        pub version: String,
        pub text: String,
    }

    pub struct ScaleStep {
        /// Points out of ten: '10', or '6-7'.
        pub points: String,
        pub text: String,
    }

    /// How the nominations of one subcategory are scored and ranked.
    pub struct Rubric {
        /// A category's slug.
        pub category: String,
        pub sub_category: String,
        /// A file may name it; there is one so far.
        #[serde(default, skip_serializing)]
        pub method: Method,
        /// Points are multiples of this: 0.5 or 1.
        #[serde(default)]
        pub step: PointStep,
        /// With fewer ranked nominations than this, only those with `threshold_percent` of all points are placed, or none.
        #[serde(default = "one")]
        pub minimum_for_places: u32,
        #[serde(default)]
        pub threshold_percent: Option<u32>,
        /// A judge whose total is further than this from the panel's median may be asked for a second look. 0: nobody is.
        #[serde(default)]
        pub second_look_points: u32,
        /// The most that all penalties together take away.
        pub penalty_cap: u32,
        /// The keys of the criteria that break a tie, the first one first.
        #[serde(default)]
        pub tie_order: Vec<String>,
        pub criteria: Vec<Criterion>,
        #[serde(default)]
        pub penalties: Vec<Penalty>,
    }

    pub struct Criterion {
        pub key: String,
        pub label: String,
        /// What full marks need.
        pub full_marks: String,
        pub max: u32,
    }

    pub struct Penalty {
        pub key: String,
        pub label: String,
        pub max: u32,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Method {
    /// The mean over the judges who scored it.
    #[default]
    Mean,
}

/// The smallest difference between points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointStep {
    Half,
    #[default]
    Whole,
}

impl PointStep {
    pub const fn points(self) -> f64 {
        match self {
            PointStep::Half => 0.5,
            PointStep::Whole => 1.0,
        }
    }
}

impl<'de> Deserialize<'de> for PointStep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match f64::deserialize(deserializer)? {
            0.5 => Ok(PointStep::Half),
            1.0 => Ok(PointStep::Whole),
            _ => Err(serde::de::Error::custom("write 0.5 or 1")),
        }
    }
}

impl Serialize for PointStep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PointStep::Half => serializer.serialize_f64(0.5),
            PointStep::Whole => serializer.serialize_u32(1),
        }
    }
}

fn one() -> u32 {
    1
}

impl Judging {
    pub fn rubric(&self, category: &str, sub_category: &str) -> Option<&Rubric> {
        self.rubrics.iter().find(|rubric| rubric.category == category && rubric.sub_category == sub_category)
    }
}
