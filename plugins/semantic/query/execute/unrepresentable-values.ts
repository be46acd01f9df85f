/** Finds the values of a request that a warehouse refuses because no row can contain them; its error does not name them. */
import type { Parameter, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { sql } from '../../../query-surface/index.ts';
import type { Model } from '../../model/model.ts';
import { singleDatasetTree } from '../joins/join-tree.ts';
import { allFiltersOf } from '../nodes/conditions.ts';
import type { Plan } from '../nodes/plan.ts';
import type { Predicate, ResolvedFilter } from '../nodes/resolved-query.ts';
import { RowsRenderer } from '../render/rows.ts';

/** A value of a filter, with its place in the request. */
interface Placed {
  readonly path: RequestPath;
  readonly value: Parameter;
}

/**
 * Finds the values by statements that return no rows: first with the whole list of a filter, then with halves of it.
 *
 * @returns the refusal at the place of the first such value of each filter; the refusal itself where none is found
 */
export async function locateUnrepresentableValues(
  refusal: ValidationError,
  { conditions }: Plan,
  {
    model,
    warehouse,
    signal,
  }: { readonly model: Model; readonly warehouse: Warehouse; readonly signal?: AbortSignal | undefined },
): Promise<ValidationError> {
  const isRefused = async (filter: ResolvedFilter, values: readonly Placed[]): Promise<boolean> => {
    const test: Predicate = { kind: 'in', values: values.map(({ value }) => value) };
    const { dialect } = warehouse;
    const rows = new RowsRenderer(model, dialect);
    const from = rows.from(singleDatasetTree(filter.field.dataset), '');
    const where = rows.tested(filter.field, rows.field(filter.field), test);
    const statement = sql`SELECT 1\n${from}\nWHERE ${where}\n${dialect.limit(0)}`.print(dialect);
    try {
      await warehouse.query(statement, { maxRows: 1, signal });
      return false;
    } catch (error) {
      if (error instanceof ValidationError) return true;
      throw error;
    }
  };
  const places: RequestPath[] = [];
  for (const filter of allFiltersOf(conditions)) {
    let suspects = placedValues(filter).filter(
      ({ value: { type, value } }) => type === 'text' && /[^\0-\x7f]/.test(String(value)),
    );
    if (suspects.length === 0 || !(await isRefused(filter, suspects))) continue;
    while (suspects.length > 1) {
      const half = suspects.slice(0, suspects.length >> 1);
      suspects = (await isRefused(filter, half)) ? half : suspects.slice(half.length);
    }
    places.push(...suspects.map(({ path }) => path));
  }
  const [first, ...others] = places.map((path) => ({ path, message: refusal.message }));
  return first === undefined ? refusal : new ValidationError([first, ...others]);
}

function placedValues({ path, test }: ResolvedFilter): readonly Placed[] {
  switch (test.kind) {
    case 'compare':
      return [{ path: [...path, 'value'], value: test.value }];
    case 'in':
      return test.values.map((value, index) => ({ path: [...path, 'values', index], value }));
    case 'between':
      return [test.low, test.high].map((value, index) => ({ path: [...path, 'values', index], value }));
    case 'within':
    case 'null':
    case 'notNull':
      return [];
  }
}
