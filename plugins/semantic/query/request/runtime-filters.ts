/** Narrows a request where its answer is shown, as in an embed: adds conditions and removes none. */
import type { RuntimeFilter } from '../../../../router/capabilities/query-source.ts';
import { isDateGrain } from '../../../../router/date-grains.ts';
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import { FILTER_OPERATORS } from '../../../../router/filter-operators.ts';
import type { FieldItem, FilterItem, SemanticQueryRequest } from '../../schemas.ts';
import { grainSuffix, VIA_SEPARATOR, viaSuffix } from '../nodes/field-key.ts';

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
 * @param spelled a request with the dimensions that the conditions may name
 * @throws ValidationError at `filter` for a condition that does not fit the model, such as a value of another type
 */
export function withRuntimeFilters<Result>(
  request: SemanticQueryRequest,
  narrowing: readonly RuntimeFilter[],
  use: (request: SemanticQueryRequest) => Result,
  spelled: Pick<SemanticQueryRequest, 'rows' | 'columns'> = request,
): Result {
  const filters = request.filters ?? [];
  try {
    return use({ ...request, filters: [...filters, ...narrowing.map((each) => filterOf(each, spelled))] });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const added = error.problems.find(
      ({ path: [list, index] }) => list === 'filters' && Number(index) >= filters.length,
    );
    throw added === undefined ? error : ValidationError.at(['filter'], added.message, added.available);
  }
}

/**
 * Returns the reference that a key means: the shown field of that key, or else a field of the model, with the grain and the
 * relationships that the key names.
 */
export function referenceOf(
  key: string,
  { rows = [], columns = [] }: Pick<SemanticQueryRequest, 'rows' | 'columns'>,
): FieldItem {
  const shown = [...rows, ...columns].find((item) => rawKeyOf(item) === key);
  if (shown !== undefined) return { dataset: shown.dataset, field: shown.field, via: shown.via, grain: shown.grain };
  const [name = '', along] = key.split('@');
  const [dataset = '', ...rest] = name.split('.');
  const last = rest.at(-1) ?? '';
  const hasGrain = rest.length > 1 && isDateGrain(last);
  return {
    dataset,
    field: (hasGrain ? rest.slice(0, -1) : rest).join('.'),
    ...(hasGrain ? { grain: last } : {}),
    ...(along === undefined ? {} : { via: along.split(VIA_SEPARATOR) }),
  };
}

function filterOf(
  { field: key, op, values }: RuntimeFilter,
  spelled: Pick<SemanticQueryRequest, 'rows' | 'columns'>,
): FilterItem {
  const place = referenceOf(key, spelled);
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
