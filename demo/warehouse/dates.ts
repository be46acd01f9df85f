/** Computes with calendar dates as ISO text (`2025-03-31`), in UTC so that the machine's time zone shifts no day. */

const DAY_MILLIS = 86_400_000;

/** Counts the days since 1970-01-01. */
export function epochDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MILLIS;
}

function fromEpochDay(day: number): string {
  return new Date(day * DAY_MILLIS).toISOString().slice(0, 10);
}

/** Returns the day of the week: 1 is Monday, 7 is Sunday (ISO 8601). 1970-01-01 was a Thursday. */
export function isoWeekday(date: string): number {
  return ((((epochDay(date) + 3) % 7) + 7) % 7) + 1;
}

/** Returns the ISO 8601 week number: a week belongs to the year of its Thursday. */
export function isoWeek(date: string): number {
  const thursday = epochDay(date) - isoWeekday(date) + 4;
  const firstOfYear = epochDay(`${fromEpochDay(thursday).slice(0, 4)}-01-01`);
  return Math.floor((thursday - firstOfYear) / 7) + 1;
}

export function* eachDay(first: string, last: string): Generator<string> {
  for (let day = epochDay(first); day <= epochDay(last); day++) yield fromEpochDay(day);
}
