/** Finds the members of an answer that have nothing below them, so that no step leads to an empty answer. */
import type { Drill, Drilling } from '../../../router/capabilities/drilling.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { Answer } from '../query/answer/make-answer.ts';
import { within } from '../query/execute/cached-mdx.ts';
import { type DrilledQuery, drillingOf, type UnevenWay, unevenWays } from '../query/resolve/drill-down.ts';
import { quoteName } from '../schema/mdx-name.ts';

/** Maximum of members of one statement, which is well below the longest text of the engine. */
const MAX_LISTED = 500;

interface LeavesOptions {
  readonly user: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Describes the ways down from an answer, with the members that are leaves of them. A way that leads from no member is
 * left out.
 */
export async function drillingWithLeaves(
  drilled: DrilledQuery,
  drill: Drill,
  answer: Answer,
  target: CubeTarget,
  options: LeavesOptions,
): Promise<Drilling> {
  const { down, ...drilling } = drillingOf(drilled, drill, target);
  const leaves = new Map<string, ReadonlySet<string>>();
  const closed = new Set<string>();
  for (const way of unevenWays(drilled.query, drill, target)) {
    const members = membersOf(answer, drilled.query, way);
    const ends = await leavesAmong([...members.keys()], way, target, options);
    const open = new Set([...members].flatMap(([uniqueName, caption]) => (ends.has(uniqueName) ? [] : [caption])));
    if (open.size === 0 && members.size > 0) closed.add(way.field);
    // A name that several members have leads on where one of them does.
    leaves.set(way.field, new Set([...members.values()].filter((caption) => !open.has(caption))));
  }
  return {
    ...drilling,
    down: down
      .filter(({ field }) => !closed.has(field))
      .map((each) => {
        const ends = leaves.get(each.field);
        return ends === undefined || ends.size === 0 ? each : { ...each, leaves: [...ends] };
      }),
  };
}

/** Returns the captions of the members of a way's hierarchy in an answer, by their unique names. */
function membersOf(
  { rows, columns }: Answer,
  query: DrilledQuery['query'],
  { selection }: UnevenWay,
): ReadonlyMap<string, string> {
  const [tuples, at] = query.rows.includes(selection)
    ? [rows, query.rows.indexOf(selection)]
    : [columns, query.columns.indexOf(selection)];
  return new Map(
    tuples.flatMap(({ members }) => {
      const member = members[at];
      return member === undefined ? [] : [[member.uniqueName, member.caption] as const];
    }),
  );
}

async function leavesAmong(
  names: readonly string[],
  { selection: { hierarchy }, to }: UnevenWay,
  { engine, view, access }: CubeTarget,
  { user, timeoutMs, signal }: LeavesOptions,
): Promise<ReadonlySet<string>> {
  const current = `${hierarchy.uniqueName}.CurrentMember`;
  const isLeaf = to.isParentChild ? `IsLeaf(${current})` : `Count(Descendants(${current}, ${to.uniqueName})) = 0`;
  const leaves = new Set<string>();
  for (let from = 0; from < names.length; from += MAX_LISTED) {
    const set = `Filter({${names.slice(from, from + MAX_LISTED).join(', ')}}, ${isLeaf})`;
    const statement = `SELECT {} ON COLUMNS, ${set} ON ROWS FROM ${quoteName(view.name)}`;
    const members = await within(timeoutMs, signal, (stop) =>
      engine.members(statement, { ...access, user, signal: stop }),
    );
    for (const { uniqueName } of members) leaves.add(uniqueName);
  }
  return leaves;
}
