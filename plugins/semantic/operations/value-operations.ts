/** Operations on the values of fields: their search, and how new they are. */
import { userOf } from '../../../router/calling-user.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import { ValidationError } from '../../../router/errors.ts';
import { operation } from '../../../router/operation.ts';
import type { Entry } from '../catalog.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Field } from '../model/model.ts';
import { execute } from '../query/execute/cached-statement.ts';
import { compileNewest, compileSearch, textOf } from '../query/execute/field-search.ts';
import { fieldsToSearch } from '../query/execute/searched-fields.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { DEFAULT_MATCHES, FreshnessResponse, ModelName, ValueSearchRequest, ValueSearchResponse } from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { SEMANTIC_TOOLS } from './tools.ts';

/** Matches of each field where several fields are searched. */
const MATCHES_OF_SEVERAL = 5;
/** Fields that are searched at the same time. */
const AT_ONCE = 4;

export function valueOperations({ catalogs, cache, settings }: Dependencies) {
  const read = async (
    statement: ReturnType<typeof compileNewest>,
    entry: Entry,
    maxRows: number,
    signal: AbortSignal | undefined,
  ) => {
    const { value } = await execute(statement, {
      warehouse: entry.warehouse,
      cache,
      keyPrefix: entry.keyPrefix,
      ttlMs: settings.cacheTtlMs,
      maxRows,
      signal,
    });
    return value.values;
  };

  /** Returns the values of one field that contain a text, with the numbers of their rows if they are asked for. */
  const search = async (
    item: { readonly dataset: string; readonly field: string },
    wanted: { readonly text: string | undefined; readonly limit: number; readonly isCounted: boolean },
    entry: Entry,
    scope: Scope,
    signal: AbortSignal | undefined,
  ) => {
    const { dataset, field, statement, searchedField } = compileSearch(item, wanted, entry, scope);
    const [values = [], numbers = []] = await read(statement, entry, wanted.limit, signal);
    const matches = values.flatMap((each, row) => {
      const text = textOf(each, searchedField);
      return text === undefined ? [] : [{ text, count: Number(numbers[row]) }];
    });
    return { dataset, field, matches };
  };

  return {
    searchValues: operation({
      summary: 'Search the values of a field, or of all text fields',
      access: 'user',
      tool: SEMANTIC_TOOLS.searchValues,
      rest: {
        method: 'GET',
        path: `${ROOT}/values/search`,
        query: ['connection', 'model', 'dataset', 'field', 'q', 'limit', 'counts'],
      },
      implementationChoice:
        'The other members repeat the request with the model’s spelling of the names. The values of `matches` are distinct, sorted, never null, and from rows that the caller may see. `counts` has the number of those rows for each match; it is absent where one of them is a small group. Without `field`, the text fields of the dataset or the model are searched, which needs `q`.',
    })
      .input(ValueSearchRequest)
      .output(ValueSearchResponse)
      .query(async ({ ctx, input, signal }) => {
        const { q, limit = DEFAULT_MATCHES, counts: isCounted = false, dataset, field } = input;
        const scope = userOf(ctx);
        const entry = await catalogs.find(input.connection, input.model, scope);
        const named = {
          connection: entry.connection,
          model: entry.model.name,
          ...(q === undefined ? {} : { q }),
          limit,
        };
        if (dataset !== undefined && field !== undefined) {
          const found = await search({ dataset, field }, { text: q, limit, isCounted }, entry, scope, signal);
          const { matches } = found;
          // The count of a small group is as much as its metric. Without it the others would give it away.
          const isShown = isCounted && matches.every(({ count }) => count >= settings.kAnonymity.threshold);
          return {
            matches: matches.map(({ text }) => text),
            ...(isShown ? { counts: matches.map(({ count }) => count) } : {}),
            ...named,
            dataset: found.dataset,
            field: found.field,
          };
        }
        if (q === undefined || q.trim() === '')
          throw ValidationError.at(['q'], 'Without dataset and field, q says what is searched.');
        const { fields, isCut } = fieldsToSearch(applyAccessPolicy(scope, entry.model), { dataset, field });
        const wanted = { text: q, limit: Math.min(limit, MATCHES_OF_SEVERAL), isCounted: false };
        const found: { dataset: string; field: string; matches: string[] }[] = [];
        for (let at = 0; at < fields.length; at += AT_ONCE) {
          const batch = fields.slice(at, at + AT_ONCE);
          const results = await Promise.all(
            batch.map((each) => search({ dataset: each.dataset, field: each.name }, wanted, entry, scope, signal)),
          );
          for (const { matches, ...place } of results)
            if (matches.length > 0) found.push({ ...place, matches: matches.map(({ text }) => text) });
        }
        const matches = [...new Set(found.flatMap((each) => each.matches))].slice(0, limit);
        return { matches, fields: found, ...(isCut ? { isCut: true as const } : {}), ...named };
      }),

    freshness: operation({
      summary: 'The newest dates in the data of a semantic model',
      access: 'user',
      tool: SEMANTIC_TOOLS.freshness,
      rest: { method: 'GET', path: `${ROOT}/freshness/{connection}/{model}` },
      implementationChoice: 'The whole operation.',
    })
      .input(ModelName)
      .output(FreshnessResponse)
      .query(async ({ ctx, input, signal }) => {
        const scope = userOf(ctx);
        const entry = await catalogs.find(input.connection, input.model, scope);
        const model = applyAccessPolicy(scope, entry.model);
        const dated = [...model.datasets.keys()].flatMap((dataset) => {
          const date = mainDateOf(dataset, model);
          return date === undefined ? [] : [{ dataset, date }];
        });
        const newest = new Map<Field, string | null>();
        for (const { date } of dated) {
          if (newest.has(date)) continue;
          const [values = []] = await read(compileNewest(date, model, entry), entry, 1, signal);
          const [value = null] = values;
          newest.set(date, value === null ? null : (textOf(value, date) ?? null));
        }
        return {
          connection: entry.connection,
          model: model.name,
          datasets: dated.map(({ dataset, date }) => ({
            dataset,
            mainDate: `${date.dataset}.${date.name}`,
            newest: newest.get(date) ?? null,
          })),
        };
      }),
  };
}
