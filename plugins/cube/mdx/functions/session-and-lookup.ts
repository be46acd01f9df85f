import { type Calc, constantValue, memberCalc, scalarCalc, setCalc } from '../compile/calc.ts';
import { asMembers, hierarchyCalcOf, memberOf, setOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { hierarchyOf, STRING, VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Hierarchy, Member } from '../metadata/member.ts';
import { nameAmong } from '../metadata/name-matching.ts';
import { MdxError } from '../syntax/errors.ts';
import { requiredText } from './members.ts';
import { setOfMembers, setTypeOf } from './supplied-args.ts';

/** Functions of the calling user and of keys, and functions that look up sets by name. */

/** Finds the member of a hierarchy with the same keys, in the level of the same name, or else of the same depth. */
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
  return define({
    name,
    syntax: 'property',
    parameters: 'member',
    description: 'The key of a member.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return scalarCalc(VALUE, [arg], (evaluator) => {
        const operand = member(evaluator);
        return operand.key ?? (operand.kind === 'stored' ? null : operand.name);
      });
    },
  });
}

export const SESSION_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'UserName',
    syntax: 'function',
    parameters: '',
    description: 'The name of the calling user.',
    build: ({ scope }) => constantValue(STRING, scope.user),
  }),
  key('MemberValue'),
  key('Member_Value'),
  key('Member_Key'),
  define({
    name: 'NativizeSet',
    syntax: 'function',
    parameters: 'set',
    description: 'The set, unchanged. The engine itself decides how to compute it.',
    build: (_, arg) => {
      const calc = asMembers(arg);
      return setCalc(setTypeOf(calc), [calc], setOf(calc));
    },
  }),
  define({
    name: 'LinkMember',
    syntax: 'function',
    parameters: 'member hierarchy',
    description: 'The member of another hierarchy with the same key.',
    build: linkMember,
  }),
  define({
    name: 'NameToSet',
    syntax: 'function',
    parameters: 'string',
    description: 'The member that a text names, as a set; empty if there is none.',
    build: ({ compileText }, text) => {
      const name = stringOf(text);
      return setCalc({ kind: 'set', element: undefined }, [text], (evaluator) => {
        const calc = memberNamed(compileText, requiredText(name(evaluator), 'NameToSet'));
        const namedMember = calc === undefined ? undefined : memberOf(calc)(evaluator);
        return namedMember === undefined || namedMember.isNull ? [] : [[namedMember]];
      });
    },
  }),
  define({
    name: 'MeasureGroupMeasures',
    syntax: 'function',
    parameters: 'string',
    description: 'The measures of a measure group.',
    build: ({ scope }, text) => {
      const name = stringOf(text);
      const { cube } = scope;
      return setCalc(setOfMembers({ kind: 'member', hierarchy: cube.measures }), [text], (evaluator) => {
        const keyText = name(evaluator) ?? '';
        const group = nameAmong([...cube.groups.keys()], keyText);
        if (group === undefined) {
          throw new MdxError(`There is no measure group '${keyText}'.`, undefined, [...cube.groups.keys()]);
        }
        return cube.measures.members.roots().flatMap((member) => (member.measure?.group === group ? [[member]] : []));
      });
    },
  }),
];

function linkMember(_: unknown, arg: Calc, to: Calc): Calc {
  const member = memberOf(arg);
  const hierarchy = hierarchyCalcOf(to);
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
