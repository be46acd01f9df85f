/** Readers of unknown JSON, each of which gives a checked value or throws. */

/**
 * Signals JSON of another shape. Which is not said: neither the page nor its visitor is told more than
 * `INVALID_ANSWER`.
 */
class UnexpectedAnswer extends Error {}

/** Tells whether `value` is an object, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns `value` where it is an object. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a list. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a text. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is a text; undefined where there is none. */
export function optionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : text(value);
}

/** Returns `value` where it is a number. */
export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswer();
}

/** Returns `value` where it is true or false. */
export function boolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new UnexpectedAnswer();
}
