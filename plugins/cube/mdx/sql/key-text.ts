import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import { NAME_OF_NULL } from '../metadata/member.ts';

/** Keys as text: equal keys have equal texts, also several keys joined. */

const NULL = '\u0000';
const SEPARATOR = '\u0001';

/** Returns a key as text that differs from that of every other key. */
export function keyText(key: Scalar): string {
  return key === null ? NULL : String(key);
}

/** Returns the key of a member among all members of its level: its parents' keys, then its own. */
export function pathKey(parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** Returns how a key that is also the name is written. */
export function nameOfKey(key: Scalar): string {
  return key === null ? NAME_OF_NULL : String(key);
}

/** Returns the keys that `pathKey` was made of, by the types of their columns. */
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
