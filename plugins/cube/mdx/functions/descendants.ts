import { type Calc, setCalc } from '../compile/calc.ts';
import { levelOf, membersOf, numberOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { elementOf } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Level, Member } from '../metadata/member.ts';
import { childrenOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { single } from './set-properties.ts';
import { requireSameHierarchy, setTypeOf, suppliedArg, symbolOf } from './supplied-args.ts';

/** Compiles `Descendants(member or set, level or distance, flag)`. */

const FLAGS = 'SELF|AFTER|BEFORE|BEFORE_AND_AFTER|SELF_AND_AFTER|SELF_AND_BEFORE|SELF_BEFORE_AFTER|LEAVES';

interface Flags {
  readonly before: boolean;
  readonly self: boolean;
  readonly after: boolean;
  readonly leaves: boolean;
}

function flagsOf(arg: Calc | undefined, ifNone: string): Flags {
  const name = symbolOf(suppliedArg(arg)) ?? ifNone;
  return {
    before: name.includes('BEFORE'),
    self: name.includes('SELF'),
    after: name.includes('AFTER'),
    leaves: name === 'LEAVES',
  };
}

/**
 * Collects members below a member, depth first. For each member, `choose` decides whether to take it and whether to
 * visit its children.
 */
function collect(
  evaluator: Evaluator,
  member: Member,
  distance: number,
  choose: (member: Member, distance: number) => { readonly take: boolean; readonly enter: boolean },
  into: Member[],
): void {
  evaluator.step();
  const { take, enter } = choose(member, distance);
  if (take) into.push(member);
  if (!enter) return;
  for (const child of childrenOf(member)) collect(evaluator, child, distance + 1, choose, into);
}

function toLevel(evaluator: Evaluator, member: Member, level: Level, flags: Flags): readonly Member[] {
  const members: Member[] = [];
  if (level.isParentChild && flags.leaves) {
    collect(evaluator, member, 0, (at) => ({ take: childrenOf(at).length === 0, enter: true }), members);
    return members;
  }
  const choose = (at: Member) => {
    const depth = at.level.depth;
    const { take } =
      depth < level.depth
        ? { take: flags.before }
        : depth === level.depth
          ? { take: flags.self || flags.leaves }
          : { take: flags.after };
    const below = depth < level.depth || flags.after || level.isParentChild;
    return {
      take: flags.leaves ? take && childrenOf(at).length === 0 : take,
      enter: below && !(depth > level.depth && !flags.after),
    };
  };
  collect(evaluator, member, 0, choose, members);
  return members;
}

function toDistance(evaluator: Evaluator, member: Member, distance: number, flags: Flags): readonly Member[] {
  if (flags.leaves) return leaves(evaluator, member, distance < 0 ? -1 : distance);
  const members: Member[] = [];
  collect(
    evaluator,
    member,
    0,
    (_, at) => ({
      take: at < distance ? flags.before : at === distance ? flags.self : flags.after,
      enter: at < distance || flags.after,
    }),
    members,
  );
  return members;
}

/**
 * Returns the leaves below a member, level by level: all of them for -1, or those at most `distance` steps below the
 * first children. A member without children is its own leaf.
 */
function leaves(evaluator: Evaluator, member: Member, distance: number): readonly Member[] {
  if (childrenOf(member).length === 0) return [member];
  const members: Member[] = [];
  let parents: readonly Member[] = [member];
  for (let step = 0; parents.length > 0 && (distance < 0 || step <= distance); step++) {
    const next: Member[] = [];
    for (const parent of parents) {
      for (const child of childrenOf(parent)) {
        evaluator.step();
        if (childrenOf(child).length === 0) members.push(child);
        else next.push(child);
      }
    }
    parents = next;
  }
  return members;
}

function start(arg: Calc): ReturnType<typeof membersOf> {
  if ((elementOf(arg.type)?.length ?? 1) !== 1) {
    throw new MdxError('Argument to Descendants function must be a member or set of members, not a set of tuples');
  }
  return membersOf(arg);
}

export const DESCENDANTS: readonly FunctionDefinition[] = [
  define({
    name: 'Descendants',
    syntax: 'function',
    parameters: 'set',
    description: 'A member and all members below it.',
    shape: 'descendants',
    build: (_, arg) => {
      const members = start(arg);
      const flags: Flags = { before: false, self: true, after: true, leaves: false };
      return setCalc(setTypeOf(arg), [arg], (evaluator) =>
        single(members(evaluator).flatMap((member) => toDistance(evaluator, member, 0, flags))),
      );
    },
  }),
  define({
    name: 'Descendants',
    syntax: 'function',
    parameters: `set level ${FLAGS}?`,
    description: 'The descendants at a level, and with flags the ones above or below the level.',
    shape: 'descendants',
    build: (_, arg, at, flag) => {
      const members = start(arg);
      requireSameHierarchy('Descendants', at, arg);
      const level = levelOf(at);
      const flags = flagsOf(flag, 'SELF');
      return setCalc(setTypeOf(arg), [arg, at, flag], (evaluator) =>
        single(members(evaluator).flatMap((member) => toLevel(evaluator, member, level(evaluator), flags))),
      );
    },
  }),
  define({
    name: 'Descendants',
    syntax: 'function',
    parameters: `set numeric ${FLAGS}?`,
    description: 'The descendants at a number of steps, and with flags the ones at fewer or more steps.',
    shape: 'descendants',
    build: (_, arg, at, flag) => {
      const members = start(arg);
      const distance = numberOf(at);
      const flags = flagsOf(flag, 'SELF');
      return setCalc(setTypeOf(arg), [arg, at, flag], (evaluator) => {
        const steps = Math.trunc(distance(evaluator) ?? 0);
        return single(members(evaluator).flatMap((member) => toDistance(evaluator, member, steps, flags)));
      });
    },
  }),
  define({
    name: 'Descendants',
    syntax: 'function',
    parameters: `set empty ${FLAGS}`,
    description: 'The descendants without children.',
    shape: 'descendants',
    build: (_, arg, at, flag) => {
      const members = start(arg);
      const flags = flagsOf(flag, 'LEAVES');
      if (!flags.leaves) throw new MdxError('depth must be specified unless DESC_FLAG is LEAVES');
      return setCalc(setTypeOf(arg), [arg, at, flag], (evaluator) =>
        single(members(evaluator).flatMap((member) => leaves(evaluator, member, -1))),
      );
    },
  }),
];
