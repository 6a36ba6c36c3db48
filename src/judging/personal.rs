//! What is stored of a person as a judge, for the export of their data. A conflict from a list of names comes without a code,
//! which the judge must not learn.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;

use super::sheet_values::Values;
use crate::error::Result;
use crate::store::judging::panels::{self, ConflictSource, PanelRole};
use crate::store::judging::sheets::{self, SecondLookState, SheetState};
use crate::store::judging::{categories, judges};

/// A judge's own data.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgeData {
    pub name: String,
    pub public_name: Option<String>,
    pub phone: Option<String>,
    pub instagram: Option<String>,
    pub business_name: Option<String>,
    pub invited_at: Option<String>,
    pub terms_version: Option<String>,
    pub terms_accepted_at: Option<String>,
    pub panels: Vec<PanelData>,
    pub sheets: Vec<SheetData>,
    /// The conflicts that the judge declared, from the list of names or on a sheet.
    pub declarations: Vec<Declaration>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PanelData {
    pub category: String,
    pub sub_category: String,
    pub role: PanelRole,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SheetData {
    pub code: String,
    pub category: String,
    pub sub_category: String,
    pub state: SheetState,
    pub saved_at: Option<String>,
    pub points: BTreeMap<String, f64>,
    pub penalties: BTreeMap<String, f64>,
    pub comment: String,
    pub second_look: Option<SecondLookState>,
    pub second_look_reason: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Declaration {
    pub category: String,
    pub sub_category: String,
    /// The code of the nomination, if this was said on a sheet.
    pub code: Option<String>,
    pub reason: String,
}

/// What is stored of the judge with an address; `None` if it is nobody's.
pub fn of_judge(connection: &Connection, email: &str) -> Result<Option<JudgeData>> {
    let Some(judge) = judges::with_email(connection, email)? else { return Ok(None) };
    let mut data = JudgeData {
        name: judge.name,
        public_name: judge.public_name,
        phone: judge.contact.phone,
        instagram: judge.contact.instagram,
        business_name: judge.contact.business_name,
        invited_at: judge.invited_at,
        terms_version: judge.terms_version,
        terms_accepted_at: judge.terms_accepted_at,
        panels: Vec::new(),
        sheets: Vec::new(),
        declarations: Vec::new(),
    };
    let roles = panels::of_judge(connection, judge.id)?;
    for stored in categories::all(connection)? {
        let (category, sub_category) = (stored.category, stored.sub_category);
        let role = roles.iter().find(|(id, _)| *id == stored.id).map(|(_, role)| *role);
        for conflict in panels::conflicts(connection, &category, &sub_category)? {
            let code = match conflict.source {
                ConflictSource::Judge => None,
                ConflictSource::Recused => Some(conflict.code),
                ConflictSource::Computed | ConflictSource::Competitor | ConflictSource::Organiser => continue,
            };
            if conflict.judge_id == judge.id {
                let (category, sub_category) = (category.clone(), sub_category.clone());
                let reason = conflict.reason;
                data.declarations.push(Declaration { category, sub_category, code, reason });
            }
        }
        data.panels.extend(role.map(|role| PanelData { category, sub_category, role }));
    }
    let hidden = panels::conflicts_from_names(connection, judge.id)?;
    for sheet in sheets::of_judge(connection, judge.id)? {
        if hidden.contains(&sheet.nomination_id) {
            continue;
        }
        let Values { points, penalties } = Values::read(connection, judge.id, &sheet.code)?;
        data.sheets.push(SheetData {
            code: sheet.code,
            category: sheet.category,
            sub_category: sheet.sub_category,
            state: sheet.state,
            saved_at: sheet.saved_at,
            points,
            penalties,
            comment: sheet.comment,
            second_look: sheet.second_look,
            second_look_reason: sheet.second_look_reason,
        });
    }
    Ok(Some(data))
}
