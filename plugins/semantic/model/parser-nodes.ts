/** Reads the SQL parser library's nodes: each is an object with one key, its kind. */
import { isRecord } from '../../../router/record.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Why an expression cannot be used; `message` continues "the expression …". */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Returns the kind of a node: its one key. */
export function kindOf(node: unknown): string | undefined {
  if (!isRecord(node)) return undefined;
  const [kind, more] = Object.keys(node);
  return more === undefined ? kind : undefined;
}

/** Returns the number of a literal node; `undefined` for any other node. */
export function numberOf(node: unknown): number | undefined {
  const literal = isRecord(node) ? node.literal : undefined;
  return isRecord(literal) && literal.literal_type === 'number' ? Number(literal.value) : undefined;
}

export function isPresent(value: unknown): boolean {
  return !(value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0));
}
