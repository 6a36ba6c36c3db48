//! `showcase content image`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::app::App;
use crate::cli::files::read_limited;
use crate::cli::output::print_line;
use crate::cli::{Access, Global};
use crate::error::Result;
use crate::model::{Actor, Expected};
use crate::site::images::{self, About, Focus};
use crate::time;

/// Manage the pictures that the content can name
#[derive(clap::Args)]
#[command(after_help = "Example: showcase content image add lake-at-night lake.jpg")]
pub struct Image {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add a JPEG, PNG or WebP file, or replace the picture of that name
    #[command(
        after_help = "Example: showcase content image add lake-at-night lake.jpg\n\nThen write image = \"lake-at-night\" in the content file and import it."
    )]
    Add {
        /// Its name in the content: lowercase letters, digits and hyphens
        name: String,
        /// The file, or - for standard input
        file: PathBuf,
        /// What it shows, for people who cannot see it
        #[arg(long, value_name = "TEXT", default_value = "")]
        alt: String,
        /// The point that stays in view when it is cropped, in percent from the left and from the top
        #[arg(long, value_name = "X,Y", default_value = "50,50", value_parser = focus)]
        focus: Focus,
    },
    /// List the pictures and where the content uses them
    #[command(after_help = "Example: showcase content image list")]
    List,
    /// Remove a picture that the content no longer uses
    #[command(after_help = "Example: showcase content image remove lake-at-night")]
    Remove { name: String },
}

impl Image {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.open(match &self.action {
            Action::List => Access::Read,
            _ => Access::Write,
        })?;
        match &self.action {
            Action::Add { name, file, alt, focus } => {
                let about = About { alt: alt.trim().to_owned(), focus: *focus };
                let file = read_limited(file, images::MAX_BYTES)?;
                let widths = images::add(&app, name, &about, &file, Expected::Any, &Actor::CommandLine)?;
                global.say(&format!("Stored '{name}' in these widths (pixels): {}.", joined(&widths)));
                Ok(())
            }
            Action::List => list(&app),
            Action::Remove { name } => {
                images::remove(&app, name, Expected::Any, &Actor::CommandLine)?;
                global.say(&format!("Removed '{name}'."));
                Ok(())
            }
        }
    }
}

fn list(app: &App) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    print_line!("{:<24}  {:<19}  {:<20}  {:>8}  shown at", "name", "added", "widths", "KB")?;
    for picture in images::list(app)? {
        print_line!(
            "{:<24}  {:<19}  {:<20}  {:>8}  {}",
            picture.image.name,
            time::local(&picture.image.created_at, &zone),
            joined(&picture.widths),
            picture.bytes.div_ceil(1000),
            if picture.used_by.is_empty() { "nowhere".to_owned() } else { picture.used_by.join(", ") }
        )?;
    }
    Ok(())
}

fn joined(widths: &[u32]) -> String {
    widths.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn focus(text: &str) -> std::result::Result<Focus, String> {
    images::focus(text)
        .ok_or_else(|| format!("'{text}' is not a focal point; write two numbers from 0 to 100, like 50,30"))
}
