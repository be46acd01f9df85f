/** Readers of JSON of unknown shape. Each returns the typed value or throws `UnexpectedAnswerError`. */
import { msg, str } from '@lit/localize';

export class UnexpectedAnswerError extends Error {
  constructor(what: string) {
    super(msg(str`The server sent an unexpected answer (${what}). Reload the page: it may be older than the server.`));
    this.name = 'UnexpectedAnswerError';
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readObject(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw new UnexpectedAnswerError(`${what} is not an object`);
  return value;
}

export function readList<T>(value: unknown, what: string, item: (value: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw new UnexpectedAnswerError(`${what} is not a list`);
  return value.map((each: unknown) => item(each));
}

export function readText(record: JsonObject, name: string): string {
  const value = record[name];
  if (typeof value !== 'string') throw new UnexpectedAnswerError(`${name} is not a text`);
  return value;
}

export function readBoolean(record: JsonObject, name: string): boolean {
  const value = record[name];
  if (typeof value !== 'boolean') throw new UnexpectedAnswerError(`${name} is not true or false`);
  return value;
}

/** Reads a point in time: epoch milliseconds or ISO 8601 text. */
export function readTime(record: JsonObject, name: string): Date {
  const value = record[name];
  const at = new Date(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime())) throw new UnexpectedAnswerError(`${name} is not a time`);
  return at;
}

/** Reads one of the `options`. A newer server may send another value. */
export function readOption<const T extends string>(record: JsonObject, name: string, options: readonly T[]): T {
  const value = record[name];
  const option = options.find((each) => each === value);
  if (option === undefined) throw new UnexpectedAnswerError(`${name} is not one of ${options.join(', ')}`);
  return option;
}

export function readTextOrDefault(record: JsonObject, name: string, absent: string): string {
  return record[name] === undefined || record[name] === null ? absent : readText(record, name);
}
