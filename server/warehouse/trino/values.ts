import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { decimalFromText, fractionText, integerFromText, isoYear } from '../values.ts';
import { isNested, scalarTypeOf } from './types.ts';

/**
 * Reads a cell from its JSON text, in the encodings of the client protocol: decimals and instants are strings, bytes
 * are base64.
 */
export function scalarOf(json: string, nativeType: string): Scalar {
  if (json === 'null') return null;
  if (isNested(nativeType)) return json;
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json;
  switch (scalarTypeOf(nativeType)) {
    case 'integer':
      return integerFromText(text);
    case 'decimal':
      return decimalFromText(text);
    case 'float':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'date':
    case 'time':
    case 'timestamp':
      return localMoment(text)?.text ?? text;
    case 'timestamptz':
      return inUtc(text);
    case 'text':
    case 'json':
    case 'binary':
    case 'other':
      return text;
  }
}

const DIGITS_OF_SECOND = 12;
const MOMENT = /^(?:([+-]?\d{4,})(-\d\d-\d\d)(?: |$))?(?:(\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?(?: (\S+))?)?$/;

/** Converts `2024-01-02 03:04:05.500` to `2024-01-02T03:04:05.500000`, and `+12024-01-02` to `+012024-01-02`. */
function localMoment(text: string) {
  const parts = MOMENT.exec(text);
  if (parts === null) return undefined;
  const [, year, monthAndDay, clock, fraction = '', zone] = parts;
  const seconds = fractionText(BigInt(fraction.padEnd(DIGITS_OF_SECOND, '0')), DIGITS_OF_SECOND);
  const day = year === undefined ? undefined : `${isoYear(Number(year))}${monthAndDay}`;
  const time = clock === undefined ? undefined : `${clock}${seconds}`;
  return { text: [day, time].filter((part) => part !== undefined).join('T'), seconds, zone };
}

/** Converts `2024-01-02 03:04:05.500 Europe/Berlin` to `2024-01-02T02:04:05.500000Z`. */
function inUtc(text: string): string {
  const local = localMoment(text);
  if (local?.zone === undefined) return text;
  const wall = Date.parse(`${local.text.slice(0, local.text.length - local.seconds.length)}Z`);
  const offset = offsetOf(local.zone, wall);
  if (offset === undefined || Number.isNaN(wall)) return text;
  return `${new Date(wall - offset).toISOString().slice(0, -'.000Z'.length)}${local.seconds}Z`;
}

/** Returns the milliseconds that a zone is ahead of UTC when its local time is `wall`; `undefined` for an unknown zone. */
function offsetOf(zone: string, wall: number): number | undefined {
  if (zone === 'UTC' || zone === 'Z') return 0;
  const parts = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (parts !== null) return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000;
  try {
    const clocks = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // The offset of the instant differs from the first guess by at most one clock change.
    const guess = wall - shownBy(clocks, wall) + wall;
    return shownBy(clocks, guess) - guess;
  } catch {
    return undefined; // Not a zone of this machine: the caller returns the text unchanged.
  }
}

/** Returns the local time at an instant, as if it were UTC. */
function shownBy(clocks: Intl.DateTimeFormat, at: number): number {
  const part = new Map(clocks.formatToParts(at).map(({ type, value }) => [type, value]));
  const number = (name: Intl.DateTimeFormatPartTypes): number => Number(part.get(name));
  return Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  );
}
