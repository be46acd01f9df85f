import { noRollupStep, rollupStep } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import { leavesOf } from '../../schema/relation-leaves.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { QueryExecution } from '../evaluate/query-execution.ts';
import { SeenRows } from '../evaluate/visible-rows.ts';
import { MAX_LOOK_UP_MS } from '../limits.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Hierarchy, Level, Member, TupleSet } from '../metadata/member.ts';

/** The cells that an answer shows. */
export interface ShownCells {
  readonly cube: string;
  /** The unique names of the levels that the answer shows or filters by. */
  readonly levels: readonly string[];
  /** The names of the stored measures. Other names are ignored. */
  readonly measures: readonly string[];
}

/**
 * Explains which aggregate tables are read for cells in place of the facts, and why others are not: a sentence for each
 * measure group that has aggregate tables. Reads default members, and no cell.
 */
export async function explainCells(
  cube: RuntimeCube,
  { levels, measures }: Omit<ShownCells, 'cube'>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const stored = cube.model.measures.filter(({ name }) => measures.includes(name));
  const groups = [...cube.groups.values()].filter(({ model: of }) => of.aggregates !== undefined);
  if (groups.length === 0) return [];
  const run = new QueryExecution(cube, signal, Date.now() + MAX_LOOK_UP_MS);
  return run.runUntilLoaded(() =>
    groups.flatMap((group) => {
      const ofGroup = stored.filter((measure) => measure.group === group.name);
      return ofGroup.length === 0 ? [] : [stepOf(cube, group, levels, ofGroup)];
    }),
  );
}

function stepOf(
  cube: RuntimeCube,
  group: FactGroup,
  shown: readonly string[],
  measures: readonly model.Measure[],
): string {
  const seen = new SeenRows(cube.restricted);
  const grains: { readonly level: Level; readonly data: boolean }[] = [];
  const predicates: TupleSet[] = [...cube.rows];
  for (const hierarchy of cube.hierarchies.filter((each) => group.reaches(each))) {
    const level = lowestOf(hierarchy, shown);
    if (level !== undefined) {
      grains.push({ level, data: false });
      continue;
    }
    const member: Member = hierarchy.defaultMember;
    if (member.kind === 'stored' || member.kind === 'data')
      grains.push({ level: member.level, data: member.kind === 'data' });
    const parts = seen.partsOf(member);
    if (parts !== undefined && parts !== 'hidden') predicates.push(parts);
  }
  const [{ alias }] = leavesOf(group.model.fact);
  const best = cube.facts.best(group, { grains, measures, predicates });
  if (best === undefined) return noRollupStep(alias);
  return rollupStep(best.use, alias, `the aggregate table ${best.source.table.table.name}`);
}

function lowestOf({ levels }: Hierarchy, shown: readonly string[]): Level | undefined {
  return levels.findLast(({ kind, uniqueName }) => kind === 'stored' && shown.includes(uniqueName));
}
