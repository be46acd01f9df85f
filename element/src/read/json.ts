/** Readers of unknown JSON, each of which gives a checked value or throws. */

export class UnexpectedAnswer extends Error {
  constructor(place: string, expected: string) {
    super(`The answer has no ${expected} at ${place}.`);
    this.name = 'UnexpectedAnswer';
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new UnexpectedAnswer(place, 'object');
}

export function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new UnexpectedAnswer(place, 'list');
}

export function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new UnexpectedAnswer(place, 'text');
}

export function optionalText(value: unknown, place: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, place);
}

export function number(value: unknown, place: string): number {
  if (typeof value === 'number') return value;
  throw new UnexpectedAnswer(place, 'number');
}

export function boolean(value: unknown, place: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new UnexpectedAnswer(place, 'boolean');
}
