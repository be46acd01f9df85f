import type { Scalar } from '../../../../router/capabilities/scalar.ts';

/** Keys as text: equal keys have equal texts, also several keys joined. */

const NULL = '\u0000';
const SEPARATOR = '\u0001';

export function keyText(key: Scalar): string {
  return key === null ? NULL : String(key);
}

/** The key of a member among all members of its level: its own key after those of its parents. */
export function pathKey(parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** How a key that is also the name is written. */
export function nameOfKey(key: Scalar): string {
  return key === null ? '#null' : String(key);
}
