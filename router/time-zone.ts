/** Time zones by their IANA names, from this process's `Intl`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS, dayOf, weekDay } from './calendar.ts';

/** Letters, digits and separators of zone names. Offsets such as `+02:00` are not zones. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;

const MINUTE_MS = 60_000;
/** The first year with listed changes: before, clocks showed solar time. */
const FIRST_YEAR = 1850;
/**
 * The last year with listed changes: announced ones (Ramadan in Morocco and Gaza) end before, and later years repeat.
 */
export const LAST_YEAR = 2128;
/** A number of years that includes every kind of year, unless a century among them has no leap day. */
const CYCLE = 28;
/** A step in which no zone changes its offset twice: a summer time of 2040 in Gaza lasts for less than seven days. */
const STEP_MS = 5 * DAY_MS;

export const UTC = 'UTC';

/** Returns the zone's name in the spelling of engines; `undefined` for an unknown zone. */
export function zoneNamed(name: string): string | undefined {
  if (!ZONE_NAME.test(name)) return undefined;
  try {
    const cachedRules = formatOf(name).resolvedOptions().timeZone;
    if (/^(utc|gmt|etc\/(utc|gmt|uct|zulu|universal|greenwich)|zulu|uct|universal|greenwich)$/i.test(name)) return UTC;
    const lowerCased = name.toLowerCase();
    if (cachedRules.toLowerCase() === lowerCased) return cachedRules;
    return zoneNames().find((one) => one.toLowerCase() === lowerCased) ?? name;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the recommended names; older names are accepted, too. */
export function zoneNames(): readonly string[] {
  return [UTC, ...Intl.supportedValuesOf('timeZone')];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** Returns the offset of a zone from UTC at an instant, in seconds. */
function offsetSeconds(zone: string, instant: number): number {
  const at = Math.floor(instant / 1000) * 1000;
  const text = formatOf(zone).format(at);
  const [month = 0, day = 0, year = 0, hours = 0, minutes = 0, seconds = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const shown = new Date(0);
  shown.setUTCFullYear(text.includes('B') ? 1 - year : year, month - 1, day);
  shown.setUTCHours(hours, minutes, seconds);
  return (shown.getTime() - at) / 1000;
}

/** Returns the milliseconds of the wall clock at an instant. */
export function wallClockAt(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant) * 1000;
}

/** Returns the first instant at which the zone's local time is `wallClock`; where the local time skips it, the instant of the change. */
export function instantAt(zone: string, wallClock: number): number {
  const offsets = [offsetAt(zone, wallClock - DAY_MS), offsetAt(zone, wallClock + DAY_MS)];
  const instants = offsets.map((offset) => wallClock - offset * 1000);
  const shown = instants.filter((instant) => wallClockAt(zone, instant) === wallClock);
  if (shown.length > 0) return Math.min(...shown);
  return changeBetween(zone, Math.min(...instants), Math.max(...instants));
}

/** Returns the instant between two at which the offset changes. */
function changeBetween(zone: string, from: number, to: number): number {
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  const before = offsetSeconds(zone, low * 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetSeconds(zone, middle * 1000) === before) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** From `at` on, in milliseconds, local time is `offset` seconds ahead of UTC. */
export interface ZoneChange {
  readonly at: number;
  readonly offset: number;
}

/** A zone's offset over a stretch of time. */
export interface ZoneRules {
  /** Before the first change. */
  readonly first: number;
  /** In their order. */
  readonly changes: readonly ZoneChange[];
}

/** Returns the offsets of a zone from its beginning through the year 2128. */
export function zoneRules(zone: string): ZoneRules {
  const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);
  return { first: rulesOf(zone, FIRST_YEAR).first, changes: years.flatMap((year) => rulesOf(zone, year).changes) };
}

/**
 * Years with changes that one turn of the event loop reads: each year takes a hundred calls of `Intl` where clocks often
 * change.
 */
const YEARS_A_TURN = 2;
const readings = new Map<string, Promise<void>>();

/** Reads the rules of a zone for `zoneRules`, a few years per turn of the event loop. Calls for the same zone share one read. */
export function readZoneRules(zone: string): Promise<void> {
  const current = readings.get(zone);
  if (current !== undefined) return current;
  const reading = readInTurns(zone);
  readings.set(zone, reading);
  reading.catch(() => readings.delete(zone));
  return reading;
}

async function readInTurns(zone: string): Promise<void> {
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
    if ((year - FIRST_YEAR) % YEARS_A_TURN === 0) await nextTurn();
    rulesOf(zone, year);
  }
  await nextTurn();
}

const rulesByZone = new Map<string, ZoneRules>();

/** Returns the offsets of a zone in one year of UTC. */
export function rulesOf(zone: string, year: number): ZoneRules {
  const key = `${zone} ${year}`;
  const cached = rulesByZone.get(key);
  if (cached !== undefined) return cached;
  const end = dayOf(year + 1, 0, 1) * DAY_MS - 1;
  const first = offsetSeconds(zone, dayOf(year, 0, 1) * DAY_MS - 1);
  const changes: ZoneChange[] = [];
  for (let at = dayOf(year, 0, 1) * DAY_MS - 1, before = first; at < end; at += STEP_MS) {
    const to = Math.min(at + STEP_MS, end);
    const offset = offsetSeconds(zone, to);
    if (offset !== before) changes.push({ at: changeBetween(zone, at, to), offset });
    before = offset;
  }
  const rules = { first, changes };
  rulesByZone.set(key, rules);
  return rules;
}

/** Returns the offset of a zone from UTC at an instant, in seconds. Fast for many instants. */
export function offsetAt(zone: string, instant: number): number {
  if (zone === UTC) return 0;
  const year = new Date(instant).getUTCFullYear();
  if (year > LAST_YEAR)
    return offsetAt(zone, instant - dayOf(year, 0, 1) * DAY_MS + dayOf(yearLike(year), 0, 1) * DAY_MS);
  const { first, changes } = rulesOf(zone, Math.max(year, FIRST_YEAR));
  return changes.findLast(({ at }) => at <= instant)?.offset ?? first;
}

/** One year of each kind beyond the list: by the weekday of 1 January, and leap or not. */
export const REPEATED_YEARS: ReadonlyMap<number, number> = new Map(
  Array.from({ length: CYCLE }, (_, index) => LAST_YEAR - CYCLE + 1 + index).map((year) => [kindOf(year), year]),
);

/** Returns the last listed year with the same weekdays as `year`. */
function yearLike(year: number): number {
  return REPEATED_YEARS.get(kindOf(year)) ?? LAST_YEAR;
}

/** Returns a number for the kind of a year: twice its first day of the week (1 for Monday), and one more in a leap year. */
function kindOf(year: number): number {
  const start = dayOf(year, 0, 1);
  return weekDay(start) * 2 + (dayOf(year + 1, 0, 1) - start - 365);
}

/** Writes an offset as ISO 8601 does: `Z`, `+02:00`, and with seconds where there are any. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const total = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = total % 60 === 0 ? '' : `:${two(total % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(total / 3600))}:${two(Math.floor((total * 1000) / MINUTE_MS) % 60)}${seconds}`;
}

/** Returns whether a text is a language tag (BCP 47) that dates can be formatted in. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag]).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
