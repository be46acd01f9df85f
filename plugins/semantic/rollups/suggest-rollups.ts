/**
 * Suggests roll-ups for what queries aggregated from rows.
 *
 * Logged demands -> candidates, each of one demand or of two together -> bound to the model, which refuses what cannot be exact
 * -> their rows counted -> the ones that save the most time, one after the other.
 */
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { TimeoutError, WarehouseError } from '../../../router/errors.ts';
import { bindRollups } from '../model/bind-rollups.ts';
import type { Model, Rollup } from '../model/model.ts';
import { Problems } from '../model/problems.ts';
import { RelationshipGraph } from '../model/relationship-graph.ts';
import type { RollupData } from '../model/rollups.ts';
import { covers, merged, type RollupDemand } from '../query/plan/rollup-demand.ts';
import { modelOf, type RollupRequest } from './build-rollups.ts';
import type { LoggedDemand } from './demand-log.ts';
import { rollupTable } from './rollup-table.ts';

/** A roll-up as a document declares it, without the members that have their default. */
export type SuggestedRollup = Pick<RollupData, 'name' | 'table' | 'dataset' | 'rows'> & {
  readonly fields: readonly {
    readonly field: string;
    readonly grain?: string;
    readonly via?: readonly string[];
    readonly column?: string;
  }[];
  readonly metrics: readonly { readonly metric: string; readonly column?: string; readonly rows?: string }[];
};

export interface Suggestion {
  readonly rollup: SuggestedRollup;
  /** Rows of its table, and of the dataset. */
  readonly rows: number;
  readonly datasetRows: number;
  /** Logged aggregations that it answers. */
  readonly times: number;
  /** Milliseconds that these took together, and their share of the time of all logged ones, in per cent. */
  readonly totalMs: number;
  readonly share: number;
}

/** Logged aggregations that no roll-up can answer. */
export interface Unanswerable {
  readonly demand: RollupDemand;
  readonly totalMs: number;
  /** Continues "a roll-up of it is not possible:". */
  readonly reason: string;
}

export interface Suggestions {
  readonly suggested: readonly Suggestion[];
  readonly unanswerable: readonly Unanswerable[];
}

export interface SuggestOptions {
  readonly model: Model;
  readonly warehouse: Warehouse;
  readonly logged: readonly LoggedDemand[];
  /** The most roll-ups to suggest. */
  readonly most: number;
}

/** Demands that are looked at: the ones that took the most time. */
const MAX_DEMANDS = 100;
/** Demands that are put together in pairs. */
const MAX_PAIRED = 12;
/** Candidates with counted rows: each count reads the dataset once. */
const MAX_COUNTED = 16;
/** A roll-up has at most this part of the rows of its dataset. */
const MAX_SHARE_OF_ROWS = 0.1;
/** Time that a count may take, in milliseconds. */
const COUNT_WITHIN_MS = 60_000;

interface Candidate {
  readonly demand: RollupDemand;
  readonly bound: Rollup;
  readonly data: SuggestedRollup;
}

interface Counted extends Candidate {
  readonly rows: number;
  readonly datasetRows: number;
}

/** What is suggested for one model. */
export interface ModelSuggestions extends Suggestions {
  readonly model: string;
}

/**
 * Suggests roll-ups for the model of a document.
 *
 * @throws ConflictError where the model cannot be used
 */
export async function suggestFor(
  request: RollupRequest,
  logged: readonly LoggedDemand[],
  most: number,
): Promise<ModelSuggestions> {
  const { model, warehouse } = await modelOf(request);
  const declaredOnes = model.rollups.map(demandOfRollup);
  const unanswered = logged.filter(({ demand }) => !declaredOnes.some((one) => covers(one, demand)));
  return { model: model.name, ...(await suggestRollups({ model, warehouse, logged: unanswered, most })) };
}

function demandOfRollup({ dataset, fields, metrics }: Rollup): RollupDemand {
  return {
    dataset,
    fields: fields.map(({ field, path, grain }) => ({ field: `${field.dataset}.${field.name}`, via: path, grain })),
    metrics: metrics.map(({ metric }) => metric),
  };
}

/** Suggests roll-ups, the one that saves the most time first. */
async function suggestRollups({ model, warehouse, logged, most }: SuggestOptions): Promise<Suggestions> {
  const unanswerable: Unanswerable[] = [];
  const usable: LoggedDemand[] = [];
  const candidates: Candidate[] = [];
  for (const each of logged.slice(0, MAX_DEMANDS)) {
    const made = candidateOf(each.demand, model, warehouse);
    if ('reason' in made) unanswerable.push({ demand: each.demand, totalMs: each.totalMs, reason: made.reason });
    else {
      usable.push(each);
      candidates.push(made);
    }
  }
  for (const both of pairsOf(candidates.slice(0, MAX_PAIRED).map(({ demand }) => demand))) {
    const made = candidateOf(both, model, warehouse);
    if (!('reason' in made)) candidates.push(made);
  }
  const timeOf = ({ demand }: Candidate, of: readonly LoggedDemand[]): number =>
    of.reduce((sum, one) => sum + (covers(demand, one.demand) ? one.totalMs : 0), 0);
  const worthCounting = candidates.toSorted((left, right) => timeOf(right, usable) - timeOf(left, usable));
  const counted: Counted[] = [];
  for (const candidate of worthCounting.slice(0, MAX_COUNTED)) {
    const rows = await rowsOf(candidate, model, warehouse);
    if (rows !== undefined && rows.rows <= MAX_SHARE_OF_ROWS * rows.datasetRows)
      counted.push({ ...candidate, ...rows });
  }

  const suggested: Suggestion[] = [];
  const allMs = logged.reduce((sum, { totalMs }) => sum + totalMs, 0);
  let left: readonly LoggedDemand[] = usable;
  while (suggested.length < most) {
    const saved = (one: Counted): number => timeOf(one, left) * (1 - one.rows / one.datasetRows);
    const [best] = counted.toSorted((one, other) => saved(other) - saved(one) || one.rows - other.rows);
    if (best === undefined || saved(best) <= 0) break;
    const answered = left.filter(({ demand }) => covers(best.demand, demand));
    const totalMs = answered.reduce((sum, one) => sum + one.totalMs, 0);
    suggested.push({
      rollup: named(best.data, model, suggested),
      rows: best.rows,
      datasetRows: best.datasetRows,
      times: answered.reduce((sum, one) => sum + one.times, 0),
      totalMs,
      share: allMs === 0 ? 0 : Math.round((100 * totalMs) / allMs),
    });
    left = left.filter((one) => !answered.includes(one));
  }
  return { suggested, unanswerable };
}

/** Returns each two demands of one dataset as one demand. */
function pairsOf(demands: readonly RollupDemand[]): readonly RollupDemand[] {
  return demands.flatMap((one, index) =>
    demands.slice(index + 1).flatMap((other): readonly RollupDemand[] => {
      if (one.dataset !== other.dataset || covers(one, other) || covers(other, one)) return [];
      const metrics = [...new Set([...one.metrics, ...other.metrics])].toSorted();
      return [{ dataset: one.dataset, fields: merged([...one.fields, ...other.fields]), metrics }];
    }),
  );
}

/** Binds the roll-up of a demand to the model. Returns the reason where it cannot be exact. */
function candidateOf(
  demand: RollupDemand,
  model: Model,
  { dialect }: Warehouse,
): Candidate | { readonly reason: string } {
  const data = declared(demand, model);
  let reason = '';
  const declaration: RollupData = {
    ...data,
    fields: data.fields.map(({ via = [], grain: _, ...field }, index) => {
      const grain = demand.fields[index]?.grain;
      return { ...field, via: [...via], ...(grain === undefined ? {} : { grain }) };
    }),
    metrics: [...data.metrics],
    check: true,
  };
  const [bound] = bindRollups({
    draft: { facts: { rollups: [declaration] }, place: [] },
    model,
    sumsDecimalsExactly: dialect.sumsDecimalsExactly,
    problems: new Problems({ lineOf: () => undefined, nameOf: () => '' }),
    onLeftOut: (_, why) => {
      reason = why;
    },
  });
  if (bound === undefined) return { reason };
  const text = bound.fields.find(({ field }) => field.type === 'text' && dialect.exactText !== undefined);
  if (text !== undefined)
    return { reason: `${text.field.dataset}.${text.field.name} has texts that this warehouse may take for equal` };
  return { demand, bound, data };
}

/** Writes a demand as the declaration of a roll-up, with a column for each field and metric. */
function declared({ dataset, fields, metrics }: RollupDemand, model: Model): SuggestedRollup {
  const graph = new RelationshipGraph(model);
  const taken = new Set<string>();
  const free = (...names: readonly string[]): string => {
    const numbered = Array.from({ length: fields.length + metrics.length }, (_, at) => `${names.at(-1)}_${at + 2}`);
    const name = [...names, ...numbered].find((one) => !taken.has(one.toLowerCase())) ?? '';
    taken.add(name.toLowerCase());
    return name;
  };
  const columnOf = (own: string, ...others: readonly string[]) => {
    const column = free(own, ...others);
    return column === own ? {} : { column };
  };
  const name = nameOf([dataset, ...fields.map(({ field, grain }) => grain ?? splitField(field)[1])]);
  return {
    name,
    table: name,
    dataset,
    fields: fields.map(({ field, grain, via }) => {
      const [of, own] = splitField(field);
      return {
        field,
        ...(grain === undefined ? {} : { grain }),
        ...(graph.directPaths(dataset, of).length > 1 ? { via } : {}),
        ...columnOf(own, `${of}_${own}`),
      };
    }),
    metrics: metrics.map((metric) => {
      const [call] = model.metrics.get(metric)?.expression ?? [];
      const hasFilter = typeof call === 'object' && call.kind === 'aggregate' && call.scope?.filters !== undefined;
      return {
        metric,
        ...columnOf(metric, `${metric}_value`),
        ...(hasFilter ? { rows: free(`${metric}_rows`) } : {}),
      };
    }),
    rows: free('row_count'),
  };
}

/** Splits `dataset.field` at its first dot: names of datasets have none. */
function splitField(field: string): readonly [string, string] {
  const at = field.indexOf('.');
  return [field.slice(0, at), field.slice(at + 1)];
}

/** Makes a legal name of a roll-up of some words. */
function nameOf(words: readonly string[]): string {
  const text = words.join('_').replaceAll(/[^A-Za-z0-9_]+/g, '_');
  return (/^[A-Za-z]/.test(text) ? text : `r_${text}`).slice(0, 50);
}

/** Gives a roll-up a name that no other roll-up, dataset or suggestion has. */
function named(data: SuggestedRollup, model: Model, suggested: readonly Suggestion[]): SuggestedRollup {
  const taken = new Set(
    [
      ...model.datasets.keys(),
      ...model.rollups.map(({ name }) => name),
      ...suggested.map(({ rollup }) => rollup.name),
    ].map((name) => name.toLowerCase()),
  );
  for (let number = 1; ; number++) {
    const name = number === 1 ? data.name : `${data.name}_${number}`;
    if (!taken.has(name.toLowerCase())) return { ...data, name, table: name };
  }
}

/** Counts the rows of a roll-up and of its dataset; `undefined` where that takes too long. */
async function rowsOf(
  { bound }: Candidate,
  model: Model,
  warehouse: Warehouse,
): Promise<{ readonly rows: number; readonly datasetRows: number } | undefined> {
  const { dialect } = warehouse;
  const { select } = rollupTable(bound, { ...model, rollups: [bound] }, dialect);
  const counted = dialect.identifier(bound.rows ?? '');
  const sql = `SELECT COUNT(*) AS n, SUM(${counted}) AS of_all FROM (\n${select}\n) AS rolled_up`;
  try {
    const { values } = await warehouse.query({ sql, parameters: [] }, { maxRows: 1, timeoutMs: COUNT_WITHIN_MS });
    const [rows, datasetRows] = values.map(([value]) => Number(value ?? 0));
    return rows === undefined || datasetRows === undefined ? undefined : { rows, datasetRows };
  } catch (error) {
    if (error instanceof WarehouseError || error instanceof TimeoutError) return undefined;
    throw error;
  }
}
