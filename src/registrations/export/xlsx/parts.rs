//! The parts of a workbook that do not depend on the rows.

use super::columns::Column;
use super::text;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// The longest name of a sheet that Excel accepts, in characters.
const LONGEST_NAME: usize = 31;

/// The names of the sheets of a list that needs `parts` of them: 'Waitlist signups', 'Waitlist signups 2'.
pub fn sheet_names(name: &str, parts: u64) -> impl Iterator<Item = String> {
    (1..=parts.max(1)).map(move |part| {
        let ending = if part > 1 { format!(" {part}") } else { String::new() };
        let start: String = name.chars().take(LONGEST_NAME - ending.len()).collect();
        format!("{start}{ending}")
    })
}

/// Every part except the sheets, by its name. They come first, for programs that read the file as a stream.
pub fn fixed(sheets: &[String]) -> [(&'static str, String); 5] {
    [
        ("[Content_Types].xml", content_types(sheets.len())),
        ("_rels/.rels", relationships(&[("officeDocument".to_owned(), "xl/workbook.xml".to_owned())])),
        ("xl/workbook.xml", workbook(sheets)),
        ("xl/_rels/workbook.xml.rels", workbook_relationships(sheets.len())),
        ("xl/styles.xml", styles()),
    ]
}

/// The XML before the rows: a frozen header row, and the columns' widths.
pub fn sheet_start(columns: &[Column]) -> String {
    let mut xml = format!(
        "{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>\
         <sheetFormatPr defaultRowHeight=\"15\"/><cols>"
    );
    for (at, Column { width, .. }) in columns.iter().enumerate() {
        let column = at + 1;
        xml.push_str(&format!(
            "<col min=\"{column}\" max=\"{column}\" width=\"{width}\" customWidth=\"1\"/>"
        ));
    }
    xml.push_str("</cols><sheetData><row r=\"1\">");
    for (at, Column { heading, .. }) in columns.iter().enumerate() {
        xml.push_str(&format!("<c r=\"{}1\" s=\"1\" t=\"inlineStr\"><is><t>", column_name(at)));
        text::push(&mut xml, heading);
        xml.push_str("</t></is></c>");
    }
    xml.push_str("</row>");
    xml
}

/// The XML after the rows: a filter over all of them.
pub fn sheet_end(columns: usize, rows: u64) -> String {
    let last = column_name(columns.saturating_sub(1));
    format!("</sheetData><autoFilter ref=\"A1:{last}{}\"/></worksheet>", rows + 1)
}

/// The name of a column, counted from 0: A, B, … Z, AA.
pub fn column_name(mut at: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(at % 26).unwrap_or_default()));
        if at < 26 {
            return letters.into_iter().rev().collect();
        }
        at = at / 26 - 1;
    }
}

fn content_types(sheets: usize) -> String {
    let mut xml = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" ContentType=\"{SHEET}.sheet.main+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" ContentType=\"{SHEET}.styles+xml\"/>"
    );
    for number in 1..=sheets {
        xml.push_str(&format!(
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"{SHEET}.worksheet+xml\"/>"
        ));
    }
    xml.push_str("</Types>");
    xml
}

/// Relationships rId1, rId2, … with these types and targets.
fn relationships(targets: &[(String, String)]) -> String {
    let mut xml = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (at, (kind, target)) in targets.iter().enumerate() {
        let id = at + 1;
        xml.push_str(&format!("<Relationship Id=\"rId{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>"));
    }
    xml.push_str("</Relationships>");
    xml
}

fn workbook_relationships(sheets: usize) -> String {
    let sheet = |number| ("worksheet".to_owned(), format!("worksheets/sheet{number}.xml"));
    let styles = ("styles".to_owned(), "styles.xml".to_owned());
    relationships(&(1..=sheets).map(sheet).chain([styles]).collect::<Vec<_>>())
}

fn workbook(sheets: &[String]) -> String {
    let mut xml = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>");
    for (at, name) in sheets.iter().enumerate() {
        let id = at + 1;
        xml.push_str("<sheet name=\"");
        text::push(&mut xml, name);
        xml.push_str(&format!("\" sheetId=\"{id}\" r:id=\"rId{id}\"/>"));
    }
    xml.push_str("</sheets></workbook>");
    xml
}

/// Style 0 for texts and numbers, 1 for the header, 2 for instants, 3 for amounts.
fn styles() -> String {
    format!(
        "{HEAD}<styleSheet xmlns=\"{MAIN}\">\
         <numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"mmm d, yyyy h:mm AM/PM\"/>\
         <numFmt numFmtId=\"165\" formatCode=\"&quot;$&quot;#,##0.00\"/></numFmts>\
         <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>\
         <font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"4\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
         <xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\" applyAlignment=\"1\">\
         <alignment vertical=\"top\" wrapText=\"1\"/></xf>\
         <xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>\
         <xf numFmtId=\"165\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;
    use crate::registrations::export::xlsx::columns;

    #[test]
    fn columns_have_the_names_that_excel_gives_them() {
        for (at, expected) in
            [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
        {
            assert_eq!(column_name(at), expected);
        }
    }

    #[test]
    fn sheets_have_names_that_excel_accepts() {
        let mut seen = std::collections::BTreeSet::new();
        let kinds = Kind::ALL.map(|kind| columns::readable(kind.as_str()));
        for name in kinds.iter().flat_map(|kind| sheet_names(kind, 12)).chain(sheet_names("Details", 12)) {
            assert!(
                name.chars().count() <= 31 && !name.contains(['[', ']', ':', '*', '?', '/', '\\']),
                "{name}"
            );
            assert!(seen.insert(name));
        }
        assert_eq!(kinds[3], "Professional demo registrations", "no kind's name is truncated");
        assert!(kinds.iter().all(|kind| seen.contains(kind)));
    }
}
