import { WarehouseError } from '../../router/errors.ts';

/** Common messages for refusals of all engines. A caller may see these; an engine's own text may contain paths and values. */
export type Refusal =
  | 'not-a-query'
  | 'unknown-name'
  | 'forbidden'
  | 'value'
  | 'syntax'
  | 'resources'
  | 'size'
  | 'other';

const MESSAGES: Readonly<Record<Refusal, string>> = {
  'not-a-query': 'The warehouse is open for reading only: send one SELECT statement.',
  'unknown-name':
    'The warehouse does not know a table, a column or a function that the query names. Compare the model with the warehouse.',
  forbidden: 'The warehouse does not allow this: it is open for reading only, and only what its user may read.',
  value: 'The warehouse cannot compute the query with the values it met: one does not fit its type or its function.',
  syntax: 'The warehouse does not understand the query. Check the SQL expressions of the model.',
  resources: 'The warehouse has no memory, disk or connections left for the query. Ask for less, or try again later.',
  size: 'The query is too large for the warehouse, which limits its stages. Ask for fewer metrics at once.',
  other: 'The warehouse refused the query. The log has its reason.',
};

export function toWarehouseError(refusal: Refusal, cause?: unknown): WarehouseError {
  return new WarehouseError(MESSAGES[refusal], { cause });
}
