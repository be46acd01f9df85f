import { sameName } from '../../schema/mdx-name.ts';
import { memberCalc } from '../compile/calc.ts';
import { asMembers, hierarchyCalcOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { hierarchyOf } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Hierarchy, Member } from '../metadata/member.ts';
import { formatValue } from '../metadata/value-format.ts';
import { symbolOf } from './supplied-args.ts';

/** Functions that use the present date. */

/** Finds the member of a formatted name; returns the null member if there is none. */
function memberAt(hierarchy: Hierarchy, name: string): Member {
  const names = [...name.matchAll(/\[((?:[^\]]|\]\])*)\]/g)].map(([, text = '']) => text.replaceAll(']]', ']'));
  const [first, ...rest] = names;
  const prefixed = sameName(first ?? '', hierarchy.name) || `[${first}]` === hierarchy.uniqueName;
  let nearestMember: Member | undefined;
  for (const each of prefixed ? rest : names) {
    nearestMember = hierarchy.members.child(nearestMember, each);
    if (nearestMember === undefined) return hierarchy.nullMember;
  }
  return nearestMember ?? hierarchy.nullMember;
}

/**
 * Returns the member of a name. If there is none, BEFORE returns the last earlier member of the level, and AFTER the
 * first later one.
 */
function matching(hierarchy: Hierarchy, name: string, which: string): Member {
  const exact = memberAt(hierarchy, name);
  if (!exact.isNull || which === 'EXACT') return exact;
  const depth = [...name.matchAll(/\[/g)].length - 1;
  const level = hierarchy.levels[hierarchy.hasAll ? depth : depth - 1];
  if (level === undefined) return exact;
  const before = (member: Member) => member.uniqueName.localeCompare(name, 'en', { numeric: true }) < 0;
  const members = hierarchy.members.members(level);
  return (which === 'BEFORE' ? members.findLast(before) : members.find((member) => !before(member))) ?? exact;
}

export const DATE_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'CurrentDateMember',
    syntax: 'function',
    parameters: 'hierarchy string EXACT|BEFORE|AFTER?',
    description: 'The member of a hierarchy whose name is the formatted current date.',
    build: ({ scope }, arg, format, flag) => {
      const hierarchy = hierarchyCalcOf(arg);
      const pattern = stringOf(format);
      return memberCalc({ kind: 'member', hierarchy: hierarchyOf(asMembers(arg).type) }, [arg, format], (evaluator) =>
        matching(
          hierarchy(evaluator),
          formatValue(new Date(scope.clock()), pattern(evaluator) ?? ''),
          symbolOf(flag) ?? 'EXACT',
        ),
      );
    },
  }),
  define({
    name: 'CurrentDateString',
    syntax: 'function',
    parameters: 'string',
    description: 'The formatted current date.',
    build: ({ scope }, format) => {
      const pattern = stringOf(format);
      return {
        kind: 'scalar',
        type: { kind: 'string' },
        parts: [],
        dependsOn: 0n,
        evaluate: (evaluator) => formatValue(new Date(scope.clock()), pattern(evaluator) ?? ''),
      };
    },
  }),
];
