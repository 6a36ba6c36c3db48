import { detailOf } from "../../lib/api-error";
import type { Kind } from "../../lib/page";

export interface FailureWords {
  title: string;
  /** Shown if the server sends no message. */
  message: string;
}

const application: FailureWords = {
  title: "Error",
  message: "There was an error submitting your application. Please try again.",
};

/** The error catalogue of the forms. */
const failures: Record<Kind, FailureWords> = {
  "speaker-applications": application,
  "judge-applications": application,
  "sponsor-applications": { title: "Error submitting application", message: "Please try again later." },
  "professional-demo-registrations": { title: "Submission Failed", message: "Failed to submit application" },
  "competition-entries": { title: "Error", message: "There was an error submitting your entry. Please try again." },
  "waitlist-signups": { title: "Error", message: "You are not on the waitlist yet. Please try again." },
  "sponsor-inquiries": { title: "Error", message: "There was an error sending your inquiry. Please try again." },
};

export function failureOf(kind: Kind, error: unknown): FailureWords {
  const { title, message } = failures[kind];
  return { title, message: detailOf(error) ?? message };
}
