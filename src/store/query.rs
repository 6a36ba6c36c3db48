//! Runs a statement with its parameters, and prepares it only once for each connection.

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::error::Result;

/// All rows of a query, each converted by `from_row`.
pub fn query_all<T, All: FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    from_row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<All> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The first row of a query, if there is one.
pub fn query_optional<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    from_row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    Ok(connection.prepare_cached(sql)?.query_row(parameters, from_row).optional()?)
}

/// Executes a statement whose number of changed rows does not matter.
pub fn execute(connection: &Connection, sql: &str, parameters: impl Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(parameters)?;
    Ok(())
}

/// Implements `from_row` for a struct: it reads a row whose columns are these fields in this order. With `COLUMNS for`, also
/// defines that constant for the statement: the fields' names, or the SQL that is given for one.
macro_rules! from_row {
    ($name:ident: $($field:ident),+) => {
        impl $name {
            fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<$name> {
                let mut columns = 0..;
                let mut next = || columns.next().unwrap_or_default();
                Ok($name { $($field: row.get(next())?),+ })
            }
        }
    };
    ($columns:ident for $name:ident: $first:ident $(= $first_sql:literal)? $(, $field:ident $(= $sql:literal)?)*) => {
        const $columns: &str = concat!(
            $crate::store::query::column!($first $($first_sql)?)
            $(, ", ", $crate::store::query::column!($field $($sql)?))*
        );
        $crate::store::query::from_row!($name: $first $(, $field)*);
    };
}
pub(super) use from_row;

/// The SQL of one column, for [`from_row`].
macro_rules! column {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $sql:literal) => {
        $sql
    };
}
pub(super) use column;
