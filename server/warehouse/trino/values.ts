import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { decimalFromText, fractionText, integerFromText } from '../values.ts';
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
    case 'time':
    case 'timestamp':
      return instant(text)?.text ?? text;
    case 'timestamptz':
      return inUtc(text);
    case 'date':
    case 'text':
    case 'json':
    case 'binary':
    case 'other':
      return text;
  }
}

/** Converts `2024-01-02 03:04:05.500` to `2024-01-02T03:04:05.500000`. */
function instant(text: string) {
  const parts = /^(?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?(?: (\S+))?$/.exec(text);
  if (parts === null) return undefined;
  const [, date, clock = '', fraction = '', zone] = parts;
  // Twelve digits are legal; beyond nine they are cut.
  const seconds = fractionText(BigInt(fraction.slice(0, 9).padEnd(9, '0')), 9);
  return { text: `${date === undefined ? '' : `${date}T`}${clock}${seconds}`, fraction: seconds, zone };
}

/** Converts `2024-01-02 03:04:05.500 Europe/Berlin` to `2024-01-02T02:04:05.500000Z`. */
function inUtc(text: string): string {
  const local = instant(text);
  if (local?.zone === undefined) return text;
  const wall = Date.parse(`${local.text.slice(0, '2024-01-02T03:04:05'.length)}Z`);
  const offset = offsetOf(local.zone, wall);
  if (offset === undefined || Number.isNaN(wall)) return text;
  return `${new Date(wall - offset).toISOString().slice(0, -'.000Z'.length)}${local.fraction}Z`;
}

/**
 * Returns the milliseconds that a zone is ahead of UTC when its clocks show `wall`; `undefined` for an unknown zone.
 */
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
    // The offset in force is that of the instant, which the first guess is at most a change of clocks away from.
    const guess = wall - shownBy(clocks, wall) + wall;
    return shownBy(clocks, guess) - guess;
  } catch {
    return undefined; // Not a zone of this machine: the caller tells the text as it came.
  }
}

/** Returns the clock's time at an instant, as if it were UTC. */
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
