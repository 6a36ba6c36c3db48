import type { Content } from "../lib/content-types";
import { clockTime, shortDay } from "../lib/clock";

/** A step as it is shown: `when` is "" where no date is known. */
export interface DatedStep {
  title: string;
  text: string;
  when: string;
}

/** A competitor's way from entering to the awards, with the dates that are settled; `today` is a day at the event. */
export function stepsOf({ competition, schedule }: Pick<Content, "competition" | "schedule">, today: string): DatedStep[] {
  return competition.steps.map(({ title, text, when, fact }) => {
    if (when !== "" || fact === null) return { title, text, when };
    return { title, text, when: fact === "deadline" ? deadlineOf(competition.submission.deadline, today) : awardsOf(schedule) };
  });
}

function deadlineOf(deadline: string | null, today: string): string {
  if (deadline === null) return "Date to be announced";
  return `${deadline.slice(0, today.length) < today ? "Was due by" : "By"} ${momentInWords(deadline)}`;
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
