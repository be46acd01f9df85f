/** Readers of unknown JSON. Each returns a checked value or throws. */

/** Signals JSON of another shape. It names no member: the page and its visitor only see `INVALID_ANSWER`. */
class UnexpectedAnswer extends Error {}

/** Returns whether `value` is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns `value` where it is an object. */
export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a list. */
export function readList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a text. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a text; undefined where there is none. */
export function readOptionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : readText(value);
}

/** Returns `value` where it is a number. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is true or false. */
export function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new UnexpectedAnswer();
}
