/** Narrows a request where its answer is shown, as in an embed: adds conditions and removes none. */
import type { RuntimeFilter } from '../../../../router/capabilities/query-source.ts';
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import { FILTER_OPERATORS } from '../../../../router/filter-operators.ts';
import type { FieldItem, FilterItem, SemanticQueryRequest } from '../../schemas.ts';
import { grainSuffix, viaSuffix } from '../nodes/field-key.ts';

/** Lists the keys of the fields that a request groups by. */
export function dimensionsOf({ rows = [], columns = [] }: SemanticQueryRequest): readonly string[] {
  return [...rows, ...columns].map(rawKeyOf);
}

/** Returns the key of a field in the request's own spelling. */
export function rawKeyOf({ dataset, field, via, grain }: FieldItem): string {
  return `${dataset}.${field}${grainSuffix(grain)}${viaSuffix(via === undefined ? [] : [via].flat())}`;
}

/**
 * Calls `use` with the request and the added conditions.
 *
 * @throws ValidationError at `filter` for a condition that does not fit the model, such as a value of another type
 */
export function withRuntimeFilters<Result>(
  request: SemanticQueryRequest,
  narrowing: readonly RuntimeFilter[],
  use: (request: SemanticQueryRequest) => Result,
): Result {
  const filters = request.filters ?? [];
  try {
    return use({ ...request, filters: [...filters, ...narrowing.map((each) => filterOf(each, request))] });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const added = error.problems.find(
      ({ path: [list, index] }) => list === 'filters' && Number(index) >= filters.length,
    );
    throw added === undefined ? error : ValidationError.at(['filter'], added.message, added.available);
  }
}

function filterOf(
  { field: key, op, values }: RuntimeFilter,
  { rows = [], columns = [] }: SemanticQueryRequest,
): FilterItem {
  const shown = [...rows, ...columns].find((item) => rawKeyOf(item) === key);
  const dot = key.indexOf('.');
  const place: FieldItem =
    shown === undefined
      ? { dataset: key.slice(0, dot), field: key.slice(dot + 1) }
      : { dataset: shown.dataset, field: shown.field, via: shown.via, grain: shown.grain };
  const { arity } = FILTER_OPERATORS[op];
  switch (arity) {
    case 'none':
      return { ...place, op };
    case 'list':
    case 'two':
      return { ...place, op, values: [...values] };
    case 'period': {
      const [value, n] = values;
      if (value === undefined) throw new InternalError('a runtime filter by a period names no period');
      return { ...place, op, value, ...(n === undefined ? {} : { n: Number(n) }) };
    }
    case 'one': {
      const [value] = values;
      if (value === undefined) throw new InternalError(`a runtime filter by ${op} has no value`);
      return { ...place, op, value };
    }
  }
}
