/** Computes the times of scheduled refreshes. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** An interval in minutes, or a time of day in a time zone. */
export type Rhythm =
  | { readonly everyMinutes: number }
  | {
      /** `HH:MM`. */
      readonly at: string;
      readonly timeZone: string;
    };

/**
 * Returns the next time of a rhythm after an instant, in epoch milliseconds. A time of day that a change of clocks skips is
 * taken an hour later.
 */
export function nextRun(rhythm: Rhythm, afterMillis: number): number {
  if ('everyMinutes' in rhythm) return afterMillis + rhythm.everyMinutes * MINUTE_MS;
  const [hour = 0, minute = 0] = rhythm.at.split(':').map(Number);
  const local = afterMillis + offsetOf(rhythm.timeZone, afterMillis);
  const today = Math.floor(local / DAY_MS) * DAY_MS;
  for (let day = today; ; day += DAY_MS) {
    const instant = instantOf(day + (hour * 60 + minute) * MINUTE_MS, rhythm.timeZone);
    if (instant > afterMillis) return instant;
  }
}

/** Returns the instant at which the clocks of a zone show a local time. */
function instantOf(localMillis: number, timeZone: string): number {
  const guess = localMillis - offsetOf(timeZone, localMillis);
  return localMillis - offsetOf(timeZone, guess);
}

/** Returns the milliseconds that a zone's clocks are ahead of UTC at an instant. */
function offsetOf(timeZone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(instant / 1_000) * 1_000;
}
