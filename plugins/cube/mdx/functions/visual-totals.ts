import { quoteName } from '../../schema/mdx-name.ts';
import { type Calc, setCalc } from '../compile/calc.ts';
import { setOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { elementOf } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Calculation } from '../metadata/member.ts';
import { Member, type TupleSet } from '../metadata/member.ts';
import { isWithin } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { isSupplied, setTypeOf } from './supplied-args.ts';

/** VisualTotals: a parent in a set becomes the total of its descendants that follow it in the set. */

/** A low solve order, so that calculated measures are computed from the totals. */
const SOLVE_ORDER = -1;

function total(parent: Member, parts: readonly Member[], name: string): Member {
  const tuples: TupleSet = parts.map((part) => [part]);
  const calculation: Calculation = {
    solveOrder: SOLVE_ORDER,
    declared: true,
    evaluate: (evaluator: Evaluator) => evaluator.aggregate(tuples),
    formatString: () => undefined,
    property: () => undefined,
  };
  return new Member(parent.hierarchy, 'calculated', parent.treeParent, name, {
    level: parent.level,
    calculation,
    // A total with its parent's name also has its parent's caption.
    caption: name === parent.name ? parent.caption : name,
    key: parent.key,
    properties: parent.properties,
    visualTotalOf: parent,
    totalOf: parts,
    uniqueName: name === parent.name ? parent.uniqueName : siblingName(parent, name),
  });
}

function siblingName({ hierarchy, treeParent }: Member, name: string): string {
  const above = treeParent === undefined || treeParent.kind === 'all' ? hierarchy : treeParent;
  return `${above.uniqueName}.${quoteName(name)}`;
}

/** Returns the name of a total by the pattern. */
function nameBy(pattern: string | undefined, name: string): string {
  if (pattern === undefined) return name;
  return pattern.replaceAll(/\*\*|\*/g, (match) => (match === '**' ? '*' : name));
}

function totals(members: readonly Member[], pattern: string | undefined): readonly Member[] {
  const result: Member[] = [...members];
  /** Indexes of members that a total at a later index already includes. */
  const covered = new Set<number>();
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index];
    if (member === undefined) continue;
    const parts: Member[] = [];
    const run: number[] = [];
    for (let next = index + 1; next < members.length; next++) {
      const below = members[next];
      const shown = result[next];
      if (below === undefined || shown === undefined || below === member || !isBelow(below, member)) break;
      run.push(next);
      // A total of a total consists of the inner total's parts, so that distinct values count once.
      if (!covered.has(next)) parts.push(...(shown.totalOf ?? [shown]));
    }
    for (const place of run) covered.add(place);
    if (parts.length > 0) result[index] = total(member, parts, nameBy(pattern, member.name));
  }
  return result;
}

function isBelow(member: Member, ancestor: Member): boolean {
  return member !== ancestor && isWithin(member, ancestor);
}

export const VISUAL_TOTALS: readonly FunctionDefinition[] = [
  define({
    name: 'VisualTotals',
    syntax: 'function',
    parameters: 'set string?',
    description: 'A set in which parents are totals of their descendants in the set.',
    build: (_, arg, pattern) => {
      const calc: Calc = arg;
      if ((elementOf(calc.type)?.length ?? 1) !== 1) {
        throw new MdxError("Argument to 'VisualTotals' function must be a set of members; got set of tuples.");
      }
      const set = setOf(calc);
      const text = isSupplied(pattern) ? stringOf(pattern) : undefined;
      return setCalc(setTypeOf(calc), [arg, pattern], (evaluator) =>
        totals(
          set(evaluator).flatMap((tuple) => tuple.slice(0, 1)),
          text?.(evaluator) ?? undefined,
        ).map((member) => [member]),
      );
    },
  }),
];
