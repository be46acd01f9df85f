import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import { NAME_OF_NULL } from '../metadata/member.ts';

/**
 * Writes keys as text. Equal keys have equal texts, and different keys have different texts, for single and compound
 * keys.
 */

const NULL = '\u0000';
const SEPARATOR = '\u0001';

/** Returns a key as text. Different keys have different texts. */
export function keyText(key: Scalar): string {
  return key === null ? NULL : String(key);
}

/** Returns the text of a compound key: the keys of the parents, then the member's own key. */
export function pathKey(parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** Returns the name of a member that is named by its key. */
export function nameOfKey(key: Scalar): string {
  return key === null ? NAME_OF_NULL : String(key);
}

/** Returns the keys that `pathKey` joined, as values of their columns' types. */
export function keysFromText(text: string, types: readonly ScalarType[]): readonly Scalar[] {
  return text.split(SEPARATOR).map((part, index) => keyFromText(part, types[index] ?? 'other'));
}

function keyFromText(text: string, type: ScalarType): Scalar {
  if (text === NULL) return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'float') return Number(text);
  if (type !== 'integer') return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
