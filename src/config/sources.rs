//! Merges the settings of all sources: the compiled-in defaults, a file, and environment variables and secret files
//! (`environment`).

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::environment;
use super::known::{defaults, is_unset, keys, nearest, sections};
use crate::error::{Error, Result};

/// The settings of all sources but the command line, and warnings about the environment.
///
/// # Errors
/// [`Error::Failed`]: a source cannot be read, or has an unknown key or a value of the wrong type.
pub fn merged(requested: Option<&Path>) -> Result<(Table, Vec<String>)> {
    let mut table = defaults();
    if let Some(path) = config_file(requested)? {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Error::Failed(format!("{} cannot be read: {error}.", path.display())))?;
        merge_file(&mut table, &text, &path)?;
    }
    let variables: Vec<_> =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect();
    let is_ours = |name: &str| name.starts_with("SHOWCASE_") || name == "CREDENTIALS_DIRECTORY";
    if let Some((name, _)) = variables.iter().find(|(name, value)| is_ours(name) && value.to_str().is_none())
    {
        return Err(Error::Failed(format!("The value of {name} is not valid UTF-8.")));
    }
    environment::merge(&mut table, &|name| std::env::var(name).ok())?;
    Ok((table, environment::unknown_variables(variables.into_iter().map(|(name, _)| name))))
}

/// The requested file, or `config.toml` in the working directory if it exists.
fn config_file(requested: Option<&Path>) -> Result<Option<PathBuf>> {
    match requested {
        Some(path) if path.is_file() => Ok(Some(path.to_owned())),
        Some(path) if path.exists() => Err(Error::Failed(format!(
            "{} is not a regular file. Name the configuration file itself, such as config.toml.",
            path.display()
        ))),
        Some(path) => Err(Error::Failed(format!(
            "The configuration file {} does not exist. See config.example.toml for an example.",
            path.display()
        ))),
        None => Ok(Some(PathBuf::from("config.toml")).filter(|path| path.is_file())),
    }
}

fn merge_file(table: &mut Table, text: &str, path: &Path) -> Result<()> {
    let file: Table = text
        .parse()
        .map_err(|error| Error::Failed(format!("{} is not valid TOML: {error}", path.display())))?;
    for (key, value) in file {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(section)), Value::Table(given)) => {
                for (inner, value) in given {
                    if !section.contains_key(&inner) {
                        return Err(unknown_key(&format!("{key}.{inner}"), path));
                    }
                    let name = format!("{key}.{inner}");
                    require_type(&name, &section[&inner], &value, path)?;
                    if !is_unset(&name, &value) {
                        section.insert(inner, value);
                    }
                }
            }
            (Some(Value::Table(_)), _) => {
                return Err(Error::Failed(format!(
                    "{}: '{key}' is a section. Write [{key}] and its keys below it.",
                    path.display()
                )));
            }
            (Some(known), value) => {
                require_type(&key, known, &value, path)?;
                if !is_unset(&key, &value) {
                    *known = value;
                }
            }
            (None, Value::Table(_)) => return Err(unknown_section(&key, path)),
            (None, _) => return Err(unknown_key(&key, path)),
        }
    }
    Ok(())
}

fn require_type(key: &str, default: &Value, given: &Value, path: &Path) -> Result<()> {
    if std::mem::discriminant(default) == std::mem::discriminant(given) {
        return Ok(());
    }
    let wanted = match default {
        Value::Integer(_) => "an integer",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list like [\"a\", \"b\"]",
        _ => "a string in quotation marks",
    };
    Err(Error::Failed(format!("{}: '{key}' must be {wanted}.", path.display())))
}

fn unknown_key(key: &str, path: &Path) -> Error {
    let known = keys(&defaults());
    let nearest = nearest(&known, key);
    Error::Failed(format!("{}: there is no setting '{key}'. Did you mean '{nearest}'?", path.display()))
}

fn unknown_section(name: &str, path: &Path) -> Error {
    let known = sections(&defaults());
    let nearest = nearest(&known, name);
    Error::Failed(format!("{}: there is no section [{name}]. Did you mean [{nearest}]?", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn loaded(file: &str, variables: &[(&str, &str)]) -> Result<Config> {
        let mut table = defaults();
        merge_file(&mut table, file, Path::new("config.toml"))?;
        environment::merge(&mut table, &|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })?;
        Config::from_table(table)
    }

    #[test]
    fn environment_wins_over_file_and_file_over_default() {
        let file = "[smtp]\nhost = 'mail.example.com'\nport = 2525";
        let config =
            loaded(file, &[("SHOWCASE_SMTP_PORT", "465"), ("SHOWCASE_PROXY_TRUSTED", "10.0.0.1, ::1")])
                .expect("valid settings");
        assert_eq!((config.smtp.host.as_str(), config.smtp.port), ("mail.example.com", 465));
        assert_eq!(config.proxy.trusted, ["10.0.0.1", "::1"]);
    }

    #[test]
    fn an_empty_value_counts_as_absent() {
        let file =
            "listen = '127.0.0.1:9000'\ndatabase = ''\n[smtp]\nsecurity = ''\n[reports]\ndaily_at = ''";
        let mut variables: Vec<(String, &str)> =
            keys(&defaults()).iter().map(|key| (environment::variable_of(key), "")).collect();
        variables.retain(|(name, _)| name != "SHOWCASE_TLS_HTTP_LISTEN");
        variables.extend(environment::SECRETS.map(|key| (environment::variable_of(key) + "_FILE", "")));
        variables.push(("CREDENTIALS_DIRECTORY".to_owned(), ""));
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let config = loaded(file, &variables).expect("valid settings");
        let unset = loaded("listen = '127.0.0.1:9000'", &[]).expect("valid settings");
        assert_eq!(format!("{config:?}"), format!("{unset:?}"));

        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("pw");
        std::fs::write(&secret, "hush").expect("a file");
        let secret = secret.display().to_string();
        let variables = [("SHOWCASE_ADMIN_PASSWORD", ""), ("SHOWCASE_ADMIN_PASSWORD_FILE", secret.as_str())];
        assert_eq!(loaded("", &variables).expect("one password").admin.password.expose(), "hush");

        let off = loaded("", &[("SHOWCASE_TLS_HTTP_LISTEN", "")]).expect("valid settings");
        assert_eq!(off.tls.http_listen, None, "empty means off");
    }

    #[test]
    fn wrong_settings_are_reported_in_one_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("smtp_password");
        std::fs::write(&secret, "hush\n").expect("a file");
        let (secret, folder) = (secret.display().to_string(), folder.path().display().to_string());
        type Case<'a> = (&'a str, Vec<(&'a str, &'a str)>, &'a str);
        let cases: [Case; 17] = [
            ("[smtp]\nhots = 'x'", vec![], "Did you mean 'smtp.host'?"),
            ("lisen = 'x'", vec![], "Did you mean 'listen'?"),
            ("[stmp]\nhost = 'x'", vec![], "there is no section [stmp]. Did you mean [smtp]?"),
            ("smtp = 3", vec![], "'smtp' is a section"),
            ("[smtp]\nport = '25'", vec![], "'smtp.port' must be an integer"),
            ("[reports]\ninclude_csv = 1", vec![], "'reports.include_csv' must be true or false"),
            ("[tls]\ndomains = 'a.example.com'", vec![], "'tls.domains' must be a list"),
            (
                "listen = 'nowhere'",
                vec![],
                "The setting 'listen' is invalid: it must be an address with its port",
            ),
            ("[tls]\nchallenge = 'dns-01'", vec![], "'tls.challenge'"),
            ("[metrics]\nlisten = 'nine'", vec![], "'metrics.listen'"),
            (
                "[smtp]\nport = 70000",
                vec![],
                "'smtp.port' is invalid: invalid value: integer `70000`, expected a number from 0 to 65535",
            ),
            ("", vec![("SHOWCASE_SMTP_PASSWORD_FILE", "/dev/zero")], "not a regular file"),
            ("[reports]\ndaily_at = 'nine'", vec![], "'nine' is not a time like 09:00"),
            ("[reports]\nweekly_on = 'someday'", vec![], "'reports.weekly_on'"),
            ("", vec![("SHOWCASE_SMTP_PORT", "many")], "SHOWCASE_SMTP_PORT"),
            (
                "",
                vec![("SHOWCASE_SMTP_PASSWORD", "a"), ("SHOWCASE_SMTP_PASSWORD_FILE", &secret)],
                "keep one of them",
            ),
            (
                "",
                vec![("SHOWCASE_SMTP_PASSWORD_FILE", "/b"), ("CREDENTIALS_DIRECTORY", &folder)],
                "keep one of them",
            ),
        ];
        for (file, variables, part) in cases {
            let error = loaded(file, &variables).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
        let config = loaded("", &[("CREDENTIALS_DIRECTORY", &folder)]).expect("a secret from a file");
        assert_eq!(config.smtp.password.expose(), "hush");
    }

    #[test]
    fn a_secret_is_never_printed() {
        let config = loaded("[admin]\npassword = 'hush'", &[]).expect("valid settings");
        assert!(!format!("{config:?}").contains("hush"));
    }
}
