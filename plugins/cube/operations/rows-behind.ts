/** Answers the facts behind one row of a saved query. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { AnswerColumn, RowsOptions, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../router/errors.ts';
import type { CubeQueryRequest } from '../api/schemas.ts';
import { columnKeys, drill as drillStatement, plain, rowsOf } from '../query/drillthrough.ts';
import { type Engine, prepare, run } from '../query/pipeline.ts';
import { atMembers, drilledQuery } from '../query/resolve/drill-down.ts';
import type { AxisSelection, ResolvedQuery } from '../query/resolve/resolved-query.ts';
import { withRuntimeFilters } from '../query/resolve/runtime-filters.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Answers the rows of facts behind one row of an answer. First the answer is narrowed to that row: where it is not shown
 * there are no rows, and where it is masked they stay hidden.
 *
 * @throws ValidationError at `at` where the values are not those of the shown levels, or where all measures are calculated
 */
export async function rowsBehind(
  request: CubeQueryRequest,
  scope: Scope,
  { drill = { down: [], steps: [] }, at, fields, limit, runtimeFilters = [], signal }: RowsOptions,
  { catalogs, ...engine }: Engine & Pick<Dependencies, 'catalogs'>,
): Promise<TabularAnswer> {
  const target = await catalogs.find(request.cube, scope);
  const prepared = await prepare(request, target, engine, {
    signal,
    async adapt(whole) {
      const narrowed = await withRuntimeFilters(whole, runtimeFilters, target, signal);
      const { query } = await drilledQuery(narrowed, drill, target, signal);
      requireRow(query, at);
      return { ...(await atMembers(query, at, target, signal)), limit: undefined };
    },
  });
  const { measures } = prepared.query;
  const column = measures.findIndex(({ stored }) => stored);
  if (column < 0) throw ValidationError.at(['at'], 'There are no rows behind calculated measures.');
  const answer = await run(prepared, target, engine, { user: scope.user, signal });
  const { suppressed, computedAtMillis, cached } = answer;
  const freshness = { computedAtMillis, cached };
  if (suppressed !== undefined || answer.rows.length === 0 || answer.columns.length === 0)
    return {
      columns: [],
      records: [],
      meta: { rowCount: 0, truncated: false, ...(suppressed === undefined ? {} : { suppressed }) },
      freshness,
    };
  const statement = drillStatement(prepared.query, answer, { column, row: 0 }, fields?.map(uniqueNameOf), target);
  const result = await rowsOf(statement, target, {
    user: scope.user,
    maxRows: limit,
    timeoutMs: engine.settings.timeoutMs,
    signal,
    place: 'fields',
  });
  const keys = columnKeys(result);
  return {
    columns: result.columns.map(
      ({ type }, index): AnswerColumn => ({
        key: keys[index] ?? '',
        label: keys[index] ?? '',
        type: 'dimension',
        dataType: type,
      }),
    ),
    records: result.rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, plain(row[index] ?? null)]))),
    meta: { rowCount: result.rows.length, truncated: result.truncated },
    freshness,
  };
}

function requireRow({ rows, columns }: ResolvedQuery, at: RowsOptions['at']): void {
  const shown = [...rows, ...columns].flatMap((selection: AxisSelection) => selection.shown.map(({ key }) => key));
  if (shown.every((key) => at[key] !== undefined) && Object.keys(at).length === shown.length) return;
  throw ValidationError.at(['at'], `at needs a member of each level: ${shown.join(', ')}.`, shown);
}

/** Writes a key `dimension.level` as the name of a level. A unique name, and the name of a measure, stay as they are. */
function uniqueNameOf(field: string): string {
  return field.startsWith('[') || !field.includes('.')
    ? field
    : field
        .split('.')
        .map((part) => `[${part.replaceAll(']', ']]')}]`)
        .join('.');
}
