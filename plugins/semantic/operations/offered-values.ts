/** The values of a field that a reader may filter a saved query by. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { OfferedValues, OfferOptions, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../router/errors.ts';
import { valuesOfAnswer } from '../../query-surface/index.ts';
import { prepare, run } from '../prepare.ts';
import { execute } from '../query/execute/cached-statement.ts';
import { compileSearch, textOf } from '../query/execute/field-search.ts';
import { compile } from '../query/pipeline.ts';
import { offerRequest } from '../query/request/offer-request.ts';
import { dimensionsOf, referenceOf, withRuntimeFilters } from '../query/request/runtime-filters.ts';
import type { FieldItem, SemanticQueryRequest } from '../schemas.ts';
import type { Dependencies } from './dependencies.ts';

/** Values among which a text is looked for: of a searched field, then of the rows that the request reads. */
const MAX_SEARCHED = 1_000;

const NUMBERS_AND_DATES: ReadonlySet<string> = new Set([
  'integer',
  'decimal',
  'float',
  'date',
  'timestamp',
  'timestamptz',
]);

/**
 * Lists the values of a field. Those of a shown dimension are those of the answer itself; those of another field are
 * the ones that the rows of the request reach. No value comes with a figure.
 */
export async function offeredValues(
  request: SemanticQueryRequest,
  scope: Scope,
  { field, text, limit, runtimeFilters = [], signal }: OfferOptions,
  parts: Dependencies,
): Promise<OfferedValues> {
  const answerTo = async (asked: SemanticQueryRequest): Promise<TabularAnswer> => {
    const prepared = await prepare(asked, scope, parts, {
      signal,
      compileRequest: (whole, ...rest) =>
        withRuntimeFilters(whole, runtimeFilters, (narrowed) => compile(narrowed, ...rest)),
    });
    return run(prepared, parts, signal);
  };
  const offered = (answer: TabularAnswer, most: { readonly text?: string | undefined; readonly limit: number }) => {
    const [first] = answer.columns;
    const values = valuesOfAnswer(answer, dimensionsOf(request).includes(field) ? field : (first?.key ?? ''), most);
    if (values === undefined) throw ValidationError.at(['field'], `The answer has no dimension "${field}".`);
    return values;
  };
  if (dimensionsOf(request).includes(field)) return offered(await answerTo(request), { text, limit });

  const place = referenceOf(field, request);
  const isSearched = text !== undefined && text !== '';
  const isPlain = place.grain === undefined && place.via === undefined;
  const candidates = isSearched && isPlain ? await searched(place, text, scope, signal, parts, request) : undefined;
  const asked = candidates === undefined ? request : withValues(request, place, candidates);
  const most = isSearched && candidates === undefined ? MAX_SEARCHED : limit + 1;
  const answerOf = async (limitOf: number, isDescending: boolean): Promise<TabularAnswer> => {
    const shape = { limit: limitOf, isDescending };
    try {
      return await answerTo(offerRequest(asked, place, { ...shape, hasMetrics: true }));
    } catch (error) {
      // A metric may need a field that only the whole request shows. The rows of the field are the same without it.
      if (!(error instanceof ValidationError) || error.path?.[0] === 'filter') throw error;
      return answerTo(offerRequest(asked, place, { ...shape, hasMetrics: false }));
    }
  };
  const values = offered(await answerOf(most, false), { text: candidates === undefined ? text : undefined, limit });
  const [least] = values.values;
  if (isSearched || least === undefined || place.grain !== undefined || !NUMBERS_AND_DATES.has(values.dataType))
    return values;
  const [greatest = least] = offered(await answerOf(1, true), { limit: 1 }).values;
  return { ...values, range: { least: least.value, greatest: greatest.value } };
}

/** Returns the values of the field that contain the text, among the rows that the caller may see. */
async function searched(
  place: FieldItem,
  text: string,
  scope: Scope,
  signal: AbortSignal | undefined,
  { catalogs, cache, settings }: Dependencies,
  { connection, model }: SemanticQueryRequest,
): Promise<readonly string[]> {
  const entry = await catalogs.find(connection, model, scope);
  const { statement, searchedField } = compileSearch(place, { text, limit: MAX_SEARCHED }, entry, scope);
  const { value } = await execute(statement, {
    warehouse: entry.warehouse,
    cache,
    keyPrefix: entry.keyPrefix,
    ttlMs: settings.cacheTtlMs,
    maxRows: MAX_SEARCHED,
    signal,
  });
  return (value.values[0] ?? []).flatMap((each) => textOf(each, searchedField) ?? []);
}

function withValues(request: SemanticQueryRequest, place: FieldItem, values: readonly string[]): SemanticQueryRequest {
  return { ...request, filters: [...(request.filters ?? []), { ...place, op: 'IN', values: [...values] }] };
}
