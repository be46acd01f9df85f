import { isObject, readList, readObject, UnexpectedAnswerError } from '../api-client/json.ts';
import type { Attributes } from './attribute-text.ts';

/** Reads the attributes of an account from an answer. */
export function readAttributes(value: unknown): Attributes {
  const record = readObject(value, 'attributes');
  return Object.fromEntries(
    Object.entries(record).map(([name, values]) => [
      name,
      readList(values, 'an attribute', (each) => {
        if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') return each;
        throw new UnexpectedAnswerError('a value of an attribute is neither text nor number nor boolean');
      }),
    ]),
  );
}

/** Reads a list of texts, such as roles. */
export function readTexts(value: unknown, what: string): readonly string[] {
  return readList(value, what, (each) => {
    if (typeof each === 'string') return each;
    throw new UnexpectedAnswerError(
      `${what} has something that is not a text${isObject(each) ? ' but an object' : ''}`,
    );
  });
}
