import { compareUses, isRead, type RollupUse } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import { AggregateSource, type FactsRead } from '../sql/aggregate-source.ts';

/** An aggregate table that has everything that a statement reads, and whether it may be read. */
export interface Candidate {
  readonly source: AggregateSource;
  readonly use: RollupUse;
}

/** Chooses the tables that statements about facts read: the smallest aggregate table with the same answer, or the facts. */
export class FactTables {
  readonly #useOf: ((table: model.AggregateTable) => RollupUse) | undefined;
  readonly #sources = new Map<FactGroup, readonly AggregateSource[]>();

  /** @param useOf whether a table may be read; without it, none is */
  constructor(useOf: ((table: model.AggregateTable) => RollupUse) | undefined) {
    this.#useOf = useOf;
  }

  /** Returns the aggregate table that a statement reads in place of the facts; `undefined` for the facts. */
  read(group: FactGroup, read: FactsRead): AggregateSource | undefined {
    const best = this.best(group, read);
    return best !== undefined && isRead(best.use) ? best.source : undefined;
  }

  /** Returns the best aggregate table with the answer of a statement: one that may be read, and of these the smallest. */
  best(group: FactGroup, read: FactsRead): Candidate | undefined {
    const useOf = this.#useOf;
    if (useOf === undefined) return undefined;
    const candidates = this.#of(group)
      .filter((source) => source.answers(read))
      .map((source): Candidate => ({ source, use: useOf(source.table) }));
    const [best] = candidates.toSorted(
      (left, right) => compareUses(left.use, right.use) || compareSizes(left.source.table, right.source.table),
    );
    return best;
  }

  #of(group: FactGroup): readonly AggregateSource[] {
    let sources = this.#sources.get(group);
    if (sources === undefined) {
      sources = (group.model.aggregates ?? []).map((table) => new AggregateSource(table, group));
      this.#sources.set(group, sources);
    }
    return sources;
  }
}

/** Orders tables by their rows. A table with fewer columns to group by has fewer rows, where their numbers are unknown. */
function compareSizes(left: model.AggregateTable, right: model.AggregateTable): number {
  const byRows = left.rowCount === undefined || right.rowCount === undefined ? 0 : left.rowCount - right.rowCount;
  return byRows || columnsOf(left) - columnsOf(right);
}

function columnsOf({ keys, levels }: model.AggregateTable): number {
  return new Set([...keys, ...levels].map(({ column }) => column.name)).size;
}
