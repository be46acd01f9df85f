/** Reading JSON of unknown shape: each reader returns the value in its type or throws `UnexpectedAnswerError`. */

export class UnexpectedAnswerError extends Error {
  constructor(what: string) {
    super(
      `The server answered in a form that this page does not know (${what}). Reload the page; it may be older than the server.`,
    );
    this.name = 'UnexpectedAnswerError';
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw new UnexpectedAnswerError(`${what} is not an object`);
  return value;
}

export function list<T>(value: unknown, what: string, item: (value: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw new UnexpectedAnswerError(`${what} is not a list`);
  return value.map((each: unknown) => item(each));
}

export function text(of: JsonObject, name: string): string {
  const value = of[name];
  if (typeof value !== 'string') throw new UnexpectedAnswerError(`${name} is not a text`);
  return value;
}

export function boolean(of: JsonObject, name: string): boolean {
  const value = of[name];
  if (typeof value !== 'boolean') throw new UnexpectedAnswerError(`${name} is not true or false`);
  return value;
}

/** Reads a point in time, written as epoch milliseconds or as ISO 8601 text. */
export function instant(of: JsonObject, name: string): Date {
  const value = of[name];
  const at = new Date(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime())) throw new UnexpectedAnswerError(`${name} is not a time`);
  return at;
}

/** Reads one of the texts that are known; another one is an answer of a newer server. */
export function oneOf<const T extends string>(of: JsonObject, name: string, known: readonly T[]): T {
  const value = of[name];
  const found = known.find((each) => each === value);
  if (found === undefined) throw new UnexpectedAnswerError(`${name} is none of ${known.join(', ')}`);
  return found;
}

export function textOrDefault(of: JsonObject, name: string, absent: string): string {
  return of[name] === undefined || of[name] === null ? absent : text(of, name);
}
