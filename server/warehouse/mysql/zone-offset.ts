/** Writes the offset of a time zone as an expression: the server's own zones are seldom filled, and end in 2038. */
import { momentText } from '../../../router/calendar.ts';
import {
  LAST_YEAR,
  REPEATED_YEARS,
  readZoneRules,
  rulesOf,
  UTC,
  type ZoneChange,
  zoneRules,
} from '../../../router/time-zone.ts';
import { inEscapingQuotes } from '../quoting.ts';

const expressions = new Map<string, string>();
/** Placeholder of the instant in cached expressions. */
const INSTANT = '\0';

/**
 * Writes the offset of `zone` from UTC at `instant`, a datetime in UTC, in seconds; `0` for a zone that always shows
 * UTC.
 */
export function offsetSql(instant: string, zone: string): string {
  if (zone === UTC) return '0';
  const expression = expressions.get(zone) ?? expressionOf(zone);
  expressions.set(zone, expression);
  return expression.replaceAll(INSTANT, instant);
}

/** Reads the zone data for `offsetSql`, in turns of the event loop. */
export async function readZone(zone: string): Promise<void> {
  if (zone !== UTC && !expressions.has(zone)) await readZoneRules(zone);
}

function expressionOf(zone: string): string {
  const { first, changes } = zoneRules(zone);
  const listed = search(changes, first);
  const repeated = [...REPEATED_YEARS].map(([kind, year]) => {
    const { first, changes } = rulesOf(zone, year);
    return { kind, offset: steps(changes, first, year) };
  });
  const [one] = repeated;
  const isConstant = repeated.every(({ offset }) => offset === one?.offset);
  const later = isConstant
    ? String(one?.offset)
    : `CASE WEEKDAY(MAKEDATE(YEAR(${INSTANT}), 1)) * 2 + 2 + (DAYOFYEAR(MAKEDATE(YEAR(${INSTANT}) + 1, 1) - INTERVAL 1 DAY) - 365) ${repeated
        .map(({ kind, offset }) => `WHEN ${kind} THEN ${offset}`)
        .join(' ')} END`;
  if (isConstant && listed === later) return listed;
  return `(CASE WHEN ${INSTANT} >= '${LAST_YEAR + 1}-01-01' THEN ${later} ELSE ${listed} END)`;
}

/** Writes a binary search, so that a row is compared with a dozen changes and not with hundreds. */
function search(changes: readonly ZoneChange[], before: number): string {
  if (changes.length === 0) return String(before);
  const middle = Math.floor(changes.length / 2);
  const change = changes[middle];
  if (change === undefined) return String(before);
  const earlier = search(changes.slice(0, middle), before);
  const later = search(changes.slice(middle + 1), change.offset);
  return `CASE WHEN ${INSTANT} < ${inEscapingQuotes(momentText(change.at).replace('T', ' '))} THEN ${earlier} ELSE ${later} END`;
}

/** Returns the offsets of one year, by the seconds since its start. */
function steps(changes: readonly ZoneChange[], first: number, year: number): string {
  if (changes.length === 0) return String(first);
  const start = Date.UTC(year, 0, 1);
  const second = `TIMESTAMPDIFF(SECOND, MAKEDATE(YEAR(${INSTANT}), 1), ${INSTANT})`;
  const cases = changes.toReversed().map(({ at, offset }) => `WHEN ${second} >= ${(at - start) / 1000} THEN ${offset}`);
  return `CASE ${cases.join(' ')} ELSE ${first} END`;
}
