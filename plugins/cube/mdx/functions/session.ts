import {
  asMembers,
  type Calc,
  constantValue,
  hierarchyCalcOf,
  memberCalc,
  memberOf,
  scalarCalc,
  setCalc,
  setOf,
  stringOf,
} from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { hierarchyOf, STRING, VALUE } from '../compile/types.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Hierarchy, Member } from '../metadata/member.ts';
import { MdxError } from '../syntax/errors.ts';
import { setOfMembers, setTypeOf } from './given.ts';
import { textOf } from './members.ts';
import { requireArg } from './required.ts';

/** Functions of who asks, of keys, and sets that are found by a name. */

/** The member of a hierarchy that has the same keys, in the level of the same name or else of the same depth. */
function linked(member: Member, hierarchy: Hierarchy): Member {
  if (member.isNull || member.hierarchy === hierarchy) return member.isNull ? hierarchy.nullMember : member;
  if (member.kind === 'all') return hierarchy.hasAll ? hierarchy.defaultMember : hierarchy.nullMember;
  const level =
    hierarchy.levels.find(({ name, kind }) => kind === 'stored' && name === member.level.name) ??
    hierarchy.levels[member.level.depth - (member.hierarchy.hasAll ? 1 : 0) + (hierarchy.hasAll ? 1 : 0)];
  if (level === undefined || level.kind !== 'stored') return hierarchy.nullMember;
  return (
    [...hierarchy.members.members(level)].find(({ cellKey }) => cellKey === member.cellKey) ?? hierarchy.nullMember
  );
}

function key(name: string): FunctionDefinition {
  return define(name, 'property', 'member', 'The key of a member.', (_, arg) => {
    const member = memberOf(requireArg(arg));
    return scalarCalc(VALUE, [arg], (evaluator) => {
      const found = member(evaluator);
      return found.key ?? (found.kind === 'stored' ? null : found.name);
    });
  });
}

export const SESSION_FUNCTIONS: readonly FunctionDefinition[] = [
  define('UserName', 'function', '', 'The name of who asks.', ({ scope }) => constantValue(STRING, scope.user)),
  key('MemberValue'),
  key('Member_Value'),
  key('Member_Key'),
  define('NativizeSet', 'function', 'set', 'The set; the engine finds out itself how to compute it.', (_, arg) => {
    const calc = asMembers(requireArg(arg));
    return setCalc(setTypeOf(calc), [calc], setOf(calc));
  }),
  define(
    'LinkMember',
    'function',
    'member hierarchy',
    'The member of another hierarchy that has the same key.',
    linkMember,
  ),
  define(
    'NameToSet',
    'function',
    'string',
    'The member that a text names, as a set; empty when there is none.',
    ({ compileText }, text) => {
      const name = stringOf(requireArg(text));
      return setCalc({ kind: 'set', element: undefined }, [text], (evaluator) => {
        const calc = memberNamed(compileText, textOf(name(evaluator), 'NameToSet'));
        const found = calc === undefined ? undefined : memberOf(calc)(evaluator);
        return found === undefined || found.isNull ? [] : [[found]];
      });
    },
  ),
  define('MeasureGroupMeasures', 'function', 'string', 'The measures of a group of facts.', ({ scope }, text) => {
    const name = stringOf(requireArg(text));
    const { cube } = scope;
    return setCalc(setOfMembers({ kind: 'member', hierarchy: cube.measures }), [text], (evaluator) => {
      const wanted = name(evaluator)?.toLowerCase();
      const group = [...cube.groups.keys()].find((each) => each.toLowerCase() === wanted);
      if (group === undefined) {
        throw new MdxError(`There is no measure group '${wanted ?? ''}'.`, undefined, [...cube.groups.keys()]);
      }
      return cube.measures.members.roots().flatMap((member) => (member.measure?.group === group ? [[member]] : []));
    });
  }),
];

function linkMember(_: unknown, arg: Calc, to: Calc): Calc {
  const member = memberOf(requireArg(arg));
  const hierarchy = hierarchyCalcOf(requireArg(to));
  return memberCalc({ kind: 'member', hierarchy: hierarchyOf(to.type) }, [arg, to], (evaluator) =>
    linked(member(evaluator), hierarchy(evaluator)),
  );
}

function memberNamed(compileText: (text: string) => Calc, text: string): Calc | undefined {
  try {
    const calc = compileText(text);
    return calc.kind === 'member' ? calc : undefined;
  } catch (error) {
    if (error instanceof DataNotLoaded || !(error instanceof MdxError)) throw error;
    return undefined;
  }
}
