//! Writes the types of the server's answers for the pages, so that they are declared once.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::admin::sessions::ListedSession;
use crate::door::figures::Figures;
use crate::door::scans::{ScanOutcome, SentScan};
use crate::http::api::artist::nominations::NominationList as OwnNominations;
use crate::http::api::door::{SnapshotAnswer, TicketAnswer, TicketDetails};
use crate::http::api::judging::certificates::{
    Ceremony, CertificateAnswer, ScoreSheetAnswer, VerifiedCertificate,
};
use crate::http::api::nominations::NominationAnswer;
use crate::judging::judges::ListedJudges as Judges;
use crate::judging::names::Names;
use crate::judging::organiser::{Detail as JudgedCategoryDetail, Overview as JudgedCategory};
use crate::judging::paper::TypedSheet;
use crate::judging::relations::Declared as KnownJudges;
use crate::judging::supervision::HeadPanel;
use crate::judging::work::{BlindSheet, Work};
use crate::mail::outbox::{ListedMail, MailDetails};
use crate::mailings::{Count, Progress};
use crate::model::{Actor, Cents, EntryId};
use crate::ops::backups::Overview as Backups;
use crate::ops::health::attention::AttentionItem;
use crate::payments::pricing::Quote;
use crate::portal::releases::ReleaseText;
use crate::registrations::daily_counts::DailyCounts;
use crate::reports::SchedulerStatus;
use crate::site::content::Content;
use crate::site::content::clock::ClockTime;
use crate::site::content::model::judging::{PointStep, Rubric};
use crate::site::content::opening::Moment;
use crate::site::content::promise::Promise;
use crate::site::first_steps::Step as FirstStep;
use crate::site::openings::State as FormOpening;
use crate::site::publish::{OpeningFact, SiteFacts};
use crate::site::render::Picture;
use crate::store::accounts::Account;
use crate::store::audit::AuditEntry;
use crate::store::door::Device;
use crate::store::mailings::unreachable::RefusedAddress;
use crate::store::payment_findings::Finding;
use crate::store::registrations::Found as FoundRegistration;
use crate::store::reviews::Step as ReviewStep;
use crate::time::Zone;

const CONTENT: &str = "// Texts are plain: a blank line starts a new paragraph, markup is shown as it was typed. Days are \"2026-03-28\", times
// \"09:30\" in the event's own time zone, money is whole cents. An empty text (\"\") or list means \"none\".

/** An uploaded picture in its sizes; \"\" if none is chosen, and then a drawing takes its place. */
export type Image = \"\" | Sizes;
";

/// Types that serialize themselves as a text or a number.
macro_rules! plain {
    ($($type:ty: $name:literal,)*) => {$(
        impl TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &Config) -> String {
                $name.to_owned()
            }

            fn inline(_: &Config) -> String {
                $name.to_owned()
            }
        }
    )*};
}

plain! {
    Actor: "string", Cents: "number", ClockTime: "string", EntryId: "number", Moment: "string", PointStep: "number",
    Promise: "string", Zone: "string",
}

/// The declarations of types and of all that they consist of, by name.
#[derive(Default)]
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let name = T::ident(&self.config);
            let declaration = without_comments(&T::decl(&self.config));
            let earlier = self.by_name.insert(name.clone(), declaration.clone());
            assert!(earlier.is_none_or(|earlier| earlier == declaration), "two types are called {name}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// The comments of fields, which stand at their types in Rust, would break the lines.
fn without_comments(declaration: &str) -> String {
    let mut parts = declaration.split("/**");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .fold(first, |text, part| text + part.split_once("*/").map_or(part, |(_, rest)| rest))
        .replace('\n', "")
}

impl Declarations {
    fn new() -> Declarations {
        Declarations { config: Config::default().with_large_int("number"), ..Declarations::default() }
    }

    /// Writes the declarations to a file below `ui/src`, and fails if it had others.
    fn write(self, file: &str, introduction: &str) {
        let mut text = format!(
            "// Written by a test (src/typescript_tests.rs) from the types of the server. Do not edit it.\n{introduction}\n"
        );
        for declaration in self.by_name.values() {
            text += &format!("export {declaration}\n");
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src").join(file);
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            std::fs::write(&path, text).expect("written");
            panic!("{file} was out of date and has been rewritten: review the change, and commit it");
        }
    }
}

#[test]
fn the_pages_have_the_types_of_the_content() {
    let mut declarations = Declarations::new();
    declarations.visit::<Content>();
    declarations.visit::<Picture>();
    declarations.write("lib/content-types.ts", CONTENT);
}

#[test]
fn the_pages_have_the_types_of_their_answers() {
    let mut declarations = Declarations::new();
    declarations.visit::<SiteFacts>();
    declarations.visit::<OpeningFact>();
    declarations.visit::<Quote>();
    declarations.visit::<Figures>();
    declarations.visit::<SentScan>();
    declarations.visit::<ScanOutcome>();
    declarations.visit::<Device>();
    declarations.visit::<TicketAnswer>();
    declarations.visit::<TicketDetails>();
    declarations.visit::<SnapshotAnswer>();
    declarations.visit::<Rubric>();
    declarations.visit::<JudgedCategory>();
    declarations.visit::<JudgedCategoryDetail>();
    declarations.visit::<TypedSheet>();
    declarations.visit::<Judges>();
    declarations.visit::<Ceremony<'static>>();
    declarations.visit::<CertificateAnswer<'static>>();
    declarations.visit::<VerifiedCertificate<'static>>();
    declarations.visit::<ScoreSheetAnswer>();
    declarations.visit::<NominationAnswer<'static>>();
    declarations.visit::<OwnNominations<'static>>();
    declarations.visit::<KnownJudges>();
    declarations.visit::<ReleaseText>();
    declarations.visit::<ListedSession>();
    declarations.visit::<Account>();
    declarations.visit::<Backups>();
    declarations.visit::<AttentionItem>();
    declarations.visit::<FirstStep>();
    declarations.visit::<DailyCounts>();
    declarations.visit::<ListedMail>();
    declarations.visit::<MailDetails>();
    declarations.visit::<AuditEntry>();
    declarations.visit::<Finding>();
    declarations.visit::<SchedulerStatus>();
    declarations.visit::<FormOpening>();
    declarations.visit::<FoundRegistration>();
    declarations.visit::<ReviewStep>();
    declarations.visit::<Progress>();
    declarations.visit::<Count>();
    declarations.visit::<RefusedAddress>();
    declarations.write("lib/answer-types.ts", "");
}

#[test]
fn the_judges_pages_have_the_types_of_their_answers() {
    let mut declarations = Declarations::new();
    declarations.visit::<Work>();
    declarations.visit::<BlindSheet>();
    declarations.visit::<Names>();
    declarations.visit::<HeadPanel>();
    declarations.write("portal/judge/work-types.ts", "");
}
