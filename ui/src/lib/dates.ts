const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** "09:30" as people here read it: "9:30 AM". */
export function clockTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const period = hours < 12 ? "AM" : "PM";
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes.toString().padStart(2, "0")} ${period}`;
}

/** "2026-03-28" as "Saturday, March 28". */
export function longDay(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const weekday = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${weekday}, ${months[month - 1]} ${day}`;
}

/** "2025-09-01" as "September 1, 2025"; a version that is no date stays as it is. */
export function versionDate(version: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(version) ? `${shortDay(version)}, ${version.slice(0, 4)}` : version;
}

/** "2026-03-28" as "March 28". */
export function shortDay(date: string): string {
  return longDay(date).replace(/^\w+, /, "");
}
