import type { AuditEntry, Kind } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { dollars } from "../../lib/money";
import { kindLabels } from "../shell/kinds";
import { statusLabel } from "../shell/status-mark";

type Detail = Record<string, unknown>;

/** What the rest of the site calls the things that a line names by number or key. */
export interface Names {
  category: (slug: string, subCategory: string) => string;
  judge: (id: string) => string;
}

/** What an action is called in the filter, and what a line about it says. `{subject}` is the record that it is about. */
interface Wording {
  title: string;
  sentence: string | ((detail: Detail, kind: Kind | undefined, names: Names) => string);
}

const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const many = (count: unknown, one: string, more = `${one}s`) => `${text(count)} ${count === 1 ? one : more}`;
const quoted = (value: unknown) => `"${text(value)}"`;
const kindIn = (value: unknown) => kinds.find((kind) => kind === value);
const code = ({ code: value }: Detail) => text(value);
const nomination = (title: string, what: string): Wording => ({ title, sentence: (detail) => `Nomination ${code(detail)} of {subject} ${what}.` });
const mailing = (title: string, what: string): Wording => ({ title, sentence: (detail) => `Email to a group ${text(detail.mailing)} ${what}${detail.count === undefined ? "" : ` to ${many(detail.count, "person", "people")}`}.` });
const judge = (title: string, what: string): Wording => ({ title, sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} ${what}.` });
const sheet = (title: string, what: string): Wording => ({ title, sentence: (detail, _, names) => `The score sheet of judge ${names.judge(text(detail.judge))} for ${code(detail)} ${what}.` });
const results = (title: string, what: string): Wording => ({ title, sentence: (detail, _, names) => `The results of ${names.category(text(detail.category), text(detail.subCategory))} were ${what}${detail.reason ? `: ${text(detail.reason)}` : ""}.` });
const picture = (title: string, what: string): Wording => ({ title, sentence: ({ name }) => `The picture ${quoted(name)} was ${what}.` });
const form = (title: string, what: string): Wording => ({ title, sentence: ({ kind }) => `The form for ${formName(kind)} was ${what}.` });
const account = (title: string, what: string): Wording => ({ title, sentence: ({ username }) => `The account ${quoted(username)} ${what}.` });

/** A category by its label on the website, or from its parts if the content no longer has it. */
export function categoryName(labels: Record<string, string>, nominationLabels: Record<string, string>, slug: string, subCategory: string): string {
  const label = labels[slug] ?? slug;
  return nominationLabels[`${slug}/${subCategory}`] ?? (subCategory === "" ? label : `${label} - ${subCategory}`);
}

function formName(kind: unknown): string {
  const known = kindIn(kind);
  return known ? kindLabels[known].plural.toLowerCase() : text(kind);
}

/** Every action that the server writes (`src/store/audit_actions.json`); a test compares both. */
export const wordings: Record<string, Wording> = {
  registered: { title: "Registration received", sentence: "{subject} was received." },
  changed: { title: "Unpaid entry changed", sentence: "{subject} was changed before it was paid." },
  paid: { title: "Entry paid", sentence: "{subject} was paid." },
  complimentary: { title: "Complimentary entry", sentence: ({ frontRow }) => `{subject} takes part without a payment${frontRow ? ", with a seat in the front row" : ""}.` },
  failed: { title: "Payment failed", sentence: "The payment of {subject} failed." },
  abandoned: { title: "Entry abandoned", sentence: "{subject} was not paid within a day and was abandoned." },
  refund: { title: "Refund requested", sentence: ({ amountCents, category }) => `A refund of ${dollars(Number(amountCents ?? 0))} was requested for {subject}${category ? `, for its category ${text(category)}` : ""}.` },
  "settled a payment by hand": { title: "Payment resolved by hand", sentence: "An unmatched payment was marked as resolved." },
  "receipt link made": { title: "Link to a receipt", sentence: "A link to the receipt of {subject} was made." },
  "receipt details changed": { title: "Details on a receipt", sentence: "The business details on the receipt of {subject} were changed." },
  reviewed: { title: "Decision or note", sentence: ({ status, note, mail }, kind) => `{subject} is now ${quoted(statusLabel(text(status), kind))}${note ? ", with a note" : ""}${mail ? ", and the person got an email" : ""}.` },
  "address corrected": { title: "Email address corrected", sentence: ({ from, to, mails }) => `The email address of {subject} was corrected from ${text(from)} to ${text(to)}${Number(mails) > 0 ? `, and ${many(mails, "email")} sent again` : ""}.` },
  "answers corrected": { title: "Answers corrected", sentence: ({ values }) => `Answers of {subject} were corrected${correctedFields(values)}.` },
  invited: { title: "Invitation from the waitlist", sentence: "{subject} was invited to enter." },
  "ticket offer withdrawn": { title: "Ticket offer withdrawn", sentence: "The open offer of the ticket of {subject} was withdrawn." },
  "ticket offered": { title: "Ticket offered", sentence: "The ticket of {subject} was offered to somebody else." },
  "ticket transferred": { title: "Ticket transferred", sentence: "The ticket of {subject} went to somebody else." },
  "relations to judges declared": { title: "Relations to judges declared", sentence: "The competitor of {subject} declared relations to judges." },
  "nomination handed in": nomination("Nomination handed in", "was handed in"),
  "nomination returned": nomination("Nomination returned", "was returned for other photos"),
  "nomination extended": nomination("Nomination extended", "got a later deadline"),
  "nomination marked as ready": nomination("Nomination ready", "is ready for the judges"),
  "nomination forfeited": nomination("Nomination forfeited", "was forfeited"),
  "nomination disqualified": nomination("Nomination disqualified", "was disqualified"),
  "nomination withdrawn": nomination("Nomination withdrawn", "was withdrawn"),
  "nomination reinstated": nomination("Nomination reinstated", "takes part again"),
  "nomination release confirmed": nomination("Release on paper confirmed", "has a confirmed release on paper"),
  "nomination link replaced": nomination("New link to the Artist Portal", "has a new link; former ones are ended"),
  "judge link replaced": judge("New link for a judge", "has a new link; former ones are ended"),
  "judge invited": judge("Judge invited", "was invited"),
  "judge changed": judge("Judge changed", "was changed"),
  "judge removed": judge("Judge removed", "was removed"),
  "judging conflict added": { title: "Conflict of interest", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} does not score ${code(detail)}, because of a conflict of interest.` },
  "relation to a judge accepted": { title: "Competitor's request accepted", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} does not score ${code(detail)}, as the competitor asked.` },
  "relation to a judge rejected": { title: "Competitor's request rejected", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} scores ${code(detail)}, though the competitor asked for another.` },
  "sponsor places set": { title: "Sponsor's places", sentence: ({ places }) => `${many(places, "person", "people")} may come for {subject}.` },
  "ticket added": { title: "Guest added", sentence: () => "A ticket was added by hand." },
  "ticket voided": { title: "Ticket voided", sentence: () => "A ticket lets nobody in any more." },
  "ticket restored": { title: "Ticket restored", sentence: () => "A ticket is valid again." },
  "ticket note set": { title: "Note on a ticket", sentence: () => "The note on a ticket was changed." },
  "badges printed": { title: "Badges printed", sentence: () => "Badges were noted as printed." },
  "tickets sent": { title: "Tickets sent", sentence: () => "Tickets were sent by email." },
  "door device added": { title: "Door device added", sentence: () => "A volunteer's phone can be opened as a door device." },
  "door device ended": { title: "Door device ended", sentence: () => "A door device was ended." },
  "judging conflict removed": { title: "Conflict of interest removed", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} scores ${code(detail)} after all: a conflict or an abstention was removed.` },
  "panel set": { title: "Panel set", sentence: ({ category, subCategory, judges }, _, names) => `The panel of ${names.category(text(category), text(subCategory))} was set: ${many(Array.isArray(judges) ? judges.length : 0, "judge")}.` },
  "score sheet reopened": sheet("Score sheet reopened", "was reopened"),
  "score sheet typed in": sheet("Score sheet typed in", "was typed in from paper"),
  "score sheet verified": sheet("Score sheet verified", "was compared with the paper"),
  "second look asked": { title: "Second look", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} was asked for a second look at ${code(detail)}.` },
  "second look cancelled": { title: "Second look taken back", sentence: (detail, _, names) => `Judge ${names.judge(text(detail.judge))} is no longer asked for a second look at ${code(detail)}.` },
  "results sealed": results("Results sealed", "sealed"),
  "results reopened": results("Results reopened", "reopened"),
  "results published": results("Results published", "published"),
  "mail retried": { title: "Emails queued to be sent now", sentence: ({ mail, count }) => (mail ? `Email ${text(mail)} was queued to be sent now.` : `${many(count, "email was", "emails were")} queued to be sent now.`) },
  "mail discarded": { title: "Emails discarded", sentence: ({ mail, count }) => (mail ? `Email ${text(mail)} was discarded.` : `${many(count, "email was", "emails were")} discarded.`) },
  "mailing drafted": mailing("Email to a group drafted", "was drafted"),
  "mailing changed": mailing("Email to a group changed", "was changed"),
  "mailing deleted": mailing("Email to a group deleted", "was deleted"),
  "mailing tested": mailing("Email to a group tested", "was sent as a test"),
  "mailing sent": mailing("Email to a group sent", "was sent"),
  "mailing paused": mailing("Email to a group paused", "was paused"),
  "mailing resumed": mailing("Email to a group resumed", "was resumed"),
  "mailing stopped": mailing("Email to a group stopped", "was stopped"),
  "mailing ended": mailing("Email to a group finished", "has been sent to everybody"),
  unsubscribed: { title: "Unsubscribed", sentence: "Somebody unsubscribed from emails to groups." },
  "email text edited": { title: "Email text changed", sentence: ({ email }) => `The text of the email ${quoted(email)} was changed.` },
  "email text reset": { title: "Email text reset", sentence: ({ email }) => `The text of the email ${quoted(email)} was reset to the original.` },
  "report queued": { title: "Report sent", sentence: ({ cadence }) => `The ${text(cadence)} report was put in the outbox.` },
  "reports started": { title: "Reports started", sentence: "The automatic reports were started." },
  "reports stopped": { title: "Reports stopped", sentence: "The automatic reports were stopped." },
  exported: { title: "Export", sentence: exportSentence },
  "list made": { title: "List made", sentence: ({ list, day }) => `The ${text(list).replace("-", " ")} list was made${day ? ` for day ${text(day)}` : ""}.` },
  "person exported": { title: "Person's data exported", sentence: ({ registrations, mails }) => `One person's data was exported: ${many(registrations, "registration")} and ${many(mails, "email")}.` },
  "person erased": { title: "Person erased", sentence: "The person of {subject} was erased." },
  "door erased": { title: "Door erased", sentence: () => "Scans, guests without an address and the names of door devices were deleted." },
  "content imported": { title: "Website file imported", sentence: ({ revision, note }) => `A content file became version ${text(revision)} of the website${note ? `: ${text(note)}` : ""}.` },
  "content published": { title: "Website published", sentence: ({ revision, note, changes }) => `${many(changes, "change was", "changes were")} published as version ${text(revision)} of the website${note ? `: ${text(note)}` : ""}.` },
  "content draft discarded": { title: "Draft discarded", sentence: "The draft of the website was discarded." },
  "picture added": picture("Picture added", "added"),
  "picture described": picture("Picture described", "given another description or focus"),
  "picture removed": picture("Picture removed", "removed"),
  "form opened": form("Form opened", "opened"),
  "form closed": form("Form closed", "closed"),
  "edition archived": { title: "Edition archived", sentence: ({ file }) => `This edition was archived in ${text(file)}.` },
  "edition started": { title: "Edition started", sentence: "This edition was started from the archive of the one before." },
  "backup made": { title: "Backup made", sentence: "A backup was made." },
  "account added": account("Account added", "was added"),
  "account removed": account("Account removed", "was removed"),
  "account password changed": account("Account's password changed", "got another password"),
  "first password made": { title: "First password", sentence: "The first shared password was made." },
  "password changed": { title: "Shared password changed", sentence: "The shared password was changed." },
  "signed in": { title: "Signed in", sentence: "Signed in." },
  "signed out": { title: "Signed out", sentence: "Signed out." },
  "sign-ins refused": { title: "Wrong passwords", sentence: ({ count }) => `${many(count ?? 1, "wrong password was", "wrong passwords were")} refused.` },
  "session ended": { title: "Session ended", sentence: ({ username }) => `A session of ${text(username)} was ended.` },
  "all sessions ended": { title: "All sessions ended", sentence: ({ sessions, reason }) => `${many(sessions, "session was", "sessions were")} ended (${text(reason)}).` },
};

function exportSentence({ kind, format, from, to, status, category, search }: Detail, _: unknown, names: Names): string {
  const known = kindIn(kind);
  const what = known ? kindLabels[known].plural : kind ? text(kind) : "All registrations";
  const filters = [
    from && `from ${text(from)}`, to && `to ${text(to)}`, status && `with the status ${quoted(statusLabel(text(status), known))}`, category && `in ${names.category(text(category), "")}`, search && "that match a search",
  ].filter(Boolean);
  return `${what} were exported as ${text(format).toUpperCase()}${filters.length > 0 ? `, ${filters.join(", ")}` : ""}.`;
}

/** ": name, phone"; the values are personal, and are on the record. */
function correctedFields(values: unknown): string {
  const names = values && typeof values === "object" ? Object.keys(values) : [];
  return names.length > 0 ? `: ${names.map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(", ")}` : "";
}

/** An action's name in the filter. One of another version of the program is shown as it is stored. */
export function actionTitle(action: string): string {
  return wordings[action]?.title ?? action;
}

/** The sentence of a line, in two parts around its record. */
export function sentenceOf({ action, kind, detail }: Pick<AuditEntry, "action" | "kind" | "detail">, names: Names): [before: string, after: string] {
  const known = wordings[action];
  const sentence = known === undefined ? `${action} {subject}` : typeof known.sentence === "string" ? known.sentence : known.sentence(detail ?? {}, kindIn(kind), names);
  const [before = "", after = ""] = sentence.split("{subject}");
  return [before, after];
}

const actors: Record<string, string> = {
  visitor: "A visitor", organiser: "Shared password", "command line": "Command line", scheduler: "The scheduler",
  "payment provider": "The payment provider", program: "The server", demo: "The demo",
};

/** Who did it: an account by its name. */
export function actorName(actor: string): string {
  return actors[actor] ?? actor;
}
