import { short } from './short.ts';

/** A place in a request, outermost first, in zod's form: `['rows', 1, 'field']`. */
export type RequestPath = readonly PropertyKey[];

/** Writes a place as callers read it: `rows[1].field`. */
export function formatPath(path: RequestPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? short(String(part)) : `.${short(String(part))}`;
  }
  return text;
}
