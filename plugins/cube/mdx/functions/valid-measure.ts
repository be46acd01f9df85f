import { EVERYTHING, scalarCalc } from '../compile/calc.ts';
import { tupleOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { contributingMeasures } from '../compile/stored-measures.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Member, Tuple } from '../metadata/member.ts';
import { parentOf } from '../metadata/navigate.ts';
import type { Value } from '../metadata/value.ts';
import { distinct } from './tuple-lists.ts';

/** Returns the fact groups of a measure. A calculated measure has the groups of the stored measures that it needs. */
function groupsOf(measure: Member | undefined, cube: RuntimeCube): readonly FactGroup[] {
  const stored = measure === undefined ? [] : (contributingMeasures(measure) ?? []);
  return [...new Set(stored.flatMap(({ group }) => cube.groups.get(group) ?? []))];
}

/**
 * Returns the member at which the facts of one of the groups are: the default member of a hierarchy that no group
 * reaches; for a member below the level at which the facts join, its ancestor at that level; otherwise the member
 * itself.
 */
function applicable(member: Member, groups: readonly FactGroup[]): Member {
  if (member.hierarchy.isMeasures) return member;
  if (!groups.some((group) => group.reaches(member.hierarchy))) return member.hierarchy.defaultMember;
  let at = member;
  while (!at.isNull && !groups.some((group) => group.reachesLevel(at.level))) at = parentOf(at);
  return at;
}

/**
 * Returns the value at the applicable members of the context. For a slicer with several members, aggregates over their
 * applicable members, each once.
 */
function valueAtApplicable(evaluator: Evaluator): Value {
  const { context, slicer, cube } = evaluator;
  const groups = groupsOf(context[0], cube);
  if (groups.length === 0) return evaluator.value();
  const move = (member: Member) => applicable(member, groups);
  const isReached = ({ hierarchy }: Member) => groups.some((group) => group.reaches(hierarchy));
  const placeholders = context.filter((member) => slicer?.isPlaceholder(member) === true && isReached(member));
  const moved: Tuple = context.filter((member) => !placeholders.includes(member)).map(move);
  const tuples = slicer?.remaining(context).map((tuple) => tuple.filter(isReached)) ?? [];
  const isMoved = placeholders.length > 0 && tuples.some((tuple) => tuple.some((member) => move(member) !== member));
  return evaluator.at(moved, () =>
    isMoved ? evaluator.aggregate(distinct(tuples.map((tuple) => tuple.map(move)))) : evaluator.value(),
  );
}

const validMeasure: Build<'tuple'> = (_, arg) => {
  const tuple = tupleOf(arg);
  const calc = scalarCalc(VALUE, [arg], (evaluator) => {
    const members = tuple(evaluator);
    return members === undefined ? null : evaluator.at(members, valueAtApplicable);
  });
  return { ...calc, dependsOn: EVERYTHING };
};

export const VALID_MEASURE: FunctionDefinition = define({
  name: 'ValidMeasure',
  syntax: 'function',
  parameters: 'tuple',
  description:
    'The value of a measure without the dimensions that its facts do not reach, and at the level at which the facts join.',
  shape: 'valid measure',
  build: validMeasure,
});
