/** Reads the values of attributes. An unreadable value is a problem, and a default of the caller replaces it. */
import type { XmlElement } from '../../../xml/index.ts';
import { type Problems, suggestion } from './problems.ts';

/** Returns the text of an attribute; `undefined` if it is absent or blank. */
export function text(element: XmlElement, name: string): string | undefined {
  const value = element.attributes.get(name)?.value;
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** Returns the text of a required attribute. If it is absent, reports an error and returns an empty text. */
export function required(element: XmlElement, name: string, problems: Problems): string {
  const value = text(element, name);
  if (value === undefined) problems.error(element, `<${element.name}> needs the attribute "${name}".`);
  return value ?? '';
}

/** Returns an attribute that is `true` or `false`; otherwise `absent`. */
export function flag<Absent extends boolean | undefined>(
  element: XmlElement,
  name: string,
  absent: Absent,
  problems: Problems,
): boolean | Absent {
  const value = text(element, name);
  if (value === undefined) return absent;
  const folded = value.trim().toLowerCase();
  if (folded === 'true' || folded === 'false') return folded === 'true';
  problems.error(lineOf(element, name), `"${name}" is true or false, not "${value}".`);
  return absent;
}

/** Returns an attribute that is a whole number from 0. */
export function count(element: XmlElement, name: string, problems: Problems): number | undefined {
  const value = text(element, name);
  if (value === undefined) return undefined;
  if (/^\s*\d{1,15}\s*$/.test(value)) return Number(value);
  problems.error(lineOf(element, name), `"${name}" is a whole number, not "${value}".`);
  return undefined;
}

/**
 * Returns one of a closed set of values, which are compared in any letter case. `choices` maps each legal spelling to
 * its value.
 */
export function choice<Value, Absent>(
  element: XmlElement,
  name: string,
  choices: Readonly<Record<string, Value>>,
  absent: Absent,
  problems: Problems,
): Value | Absent {
  const value = text(element, name);
  if (value === undefined) return absent;
  const chosen = Object.entries(choices).find(([spelling]) => spelling.toLowerCase() === value.trim().toLowerCase());
  if (chosen !== undefined) return chosen[1];
  const legal = Object.keys(choices);
  problems.error(lineOf(element, name), `"${value}" is not a legal value of "${name}".${suggestion(value, legal)}`);
  return absent;
}

/** Returns the line of an attribute, or else of its element. */
export function lineOf(element: XmlElement, attribute: string): { readonly line: number } {
  return { line: element.attributes.get(attribute)?.line ?? element.line };
}
