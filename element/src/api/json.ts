/** Readers of unknown JSON, each of which gives a checked value or throws. */

/** JSON of another shape. Which is not said: neither the page nor its visitor is told more than `INVALID_ANSWER`. */
export class UnexpectedAnswer extends Error {}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new UnexpectedAnswer();
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedAnswer();
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswer();
}

export function optionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : text(value);
}

export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswer();
}

export function boolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new UnexpectedAnswer();
}
