import type { SiteFacts } from "../lib/answer-types";
import type { Content } from "../lib/content-types";
import { clockTime, shortDay } from "../lib/dates";

interface Props {
  steps: DatedStep[];
  /** So many of them are behind her. */
  done?: number;
}

/** A competitor's way, step by step. */
export function StepList({ steps, done = 0 }: Props) {
  return (
    <ol className="journey">
      {steps.map(({ title, text, when }, index) => (
        <li key={title} data-done={index < done || undefined}>
          <h3>{title}{index < done && <span className="hidden-text"> (done)</span>}</h3>
          {index >= done && when !== "" && <p className="journey-when figures">{when}</p>}
          {index >= done && <p>{text}</p>}
        </li>
      ))}
    </ol>
  );
}

/** A step as it is shown: `when` is "" where no date is known. */
export interface DatedStep {
  title: string;
  text: string;
  when: string;
}

/** A competitor's way from entering to the awards, with the dates that are settled. */
export function stepsOf({ competition, schedule }: Pick<Content, "competition" | "schedule">, site: Pick<SiteFacts, "submissionIsOver">): DatedStep[] {
  return competition.steps.map(({ title, text, when, fact }) => {
    if (when !== "" || fact === null) return { title, text, when };
    return { title, text, when: fact === "deadline" ? deadlineOf(competition.submission.deadline, site) : awardsOf(schedule) };
  });
}

function deadlineOf(deadline: string | null, { submissionIsOver }: Pick<SiteFacts, "submissionIsOver">): string {
  if (deadline === null) return "Date to be announced";
  return `${submissionIsOver ? "Photos were due by" : "By"} ${momentInWords(deadline)}`;
}

function awardsOf(schedule: Content["schedule"]): string {
  for (const { date, items } of schedule.days) {
    const award = items.find(({ kind }) => kind === "award");
    if (award) return `${shortDay(date)}, ${clockTime(award.start)}`;
  }
  return "";
}

/** "2026-03-01 23:59" as "March 1, 11:59 PM", "2026-03-01" as "March 1". */
function momentInWords(moment: string): string {
  const [day = "", time] = moment.split(" ");
  return time === undefined ? shortDay(day) : `${shortDay(day)}, ${clockTime(time)}`;
}
