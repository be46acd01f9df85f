import { type Calc, dependencyOn, dimensionCalc, hierarchyCalc, levelCalc, memberCalc } from '../compile/calc.ts';
import { dimensionOf, hierarchyCalcOf, levelOf, memberOf, nullOf, numberOf, stringOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { elementOf, hierarchyOf, type MemberType } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member } from '../metadata/member.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import { ancestorAt, arePeers, childrenOf, lead, parentOf, siblingsOf } from '../metadata/navigate.ts';
import { MdxError } from '../syntax/errors.ts';
import { memberTypeOf, requireSameHierarchy } from './supplied-args.ts';

/** Functions that return a member, a level, a hierarchy or a dimension. */

function navigation(name: string, description: string, move: (member: Member) => Member): FunctionDefinition {
  return define({
    name,
    syntax: 'property',
    parameters: 'member',
    description,
    build: (_, arg) => {
      const type = memberTypeOf(arg);
      const member = memberOf(arg);
      return memberCalc({ kind: 'member', hierarchy: type.hierarchy }, [arg], (evaluator) => move(member(evaluator)));
    },
  });
}

function currentMember(arg: Calc): Calc {
  const hierarchy = hierarchyCalcOf(arg);
  const type: MemberType = { kind: 'member', hierarchy: hierarchyOf(arg.type) };
  const calc = memberCalc(type, [arg], (evaluator) => evaluator.current(hierarchy(evaluator)));
  return { ...calc, dependsOn: calc.dependsOn | dependencyOn(type.hierarchy) };
}

function ancestor(evaluator: Evaluator, member: Member, distance: number): Member {
  let at = member;
  for (let step = 0; step < distance && !at.isNull; step++) {
    evaluator.step();
    at = parentOf(at);
  }
  return distance < 0 ? member.hierarchy.nullMember : at;
}

/**
 * Returns the member at the same position below another ancestor: `cousin(Feb 1997, Q2 1998)` is the second month of Q2
 * 1998.
 */
export function cousinOf(member: Member, target: Member): Member {
  const path: number[] = [];
  let at = member;
  while (!at.isNull && !arePeers(at, target)) {
    const parent = parentOf(at);
    path.unshift(siblingsOf(at).indexOf(at));
    at = parent;
  }
  if (at.isNull) return member.hierarchy.nullMember;
  let cousin: Member = target;
  for (const index of path) cousin = childrenOf(cousin)[index] ?? member.hierarchy.nullMember;
  return cousin;
}

function lag(sign: 1 | -1): Build<'member numeric'> {
  return (_, arg, steps) => {
    const member = memberOf(arg);
    const count = numberOf(steps);
    return memberCalc({ kind: 'member', hierarchy: memberTypeOf(arg).hierarchy }, [arg, steps], (evaluator) => {
      const by = count(evaluator);
      return by === null ? member(evaluator).hierarchy.nullMember : lead(member(evaluator), sign * Math.trunc(by));
    });
  };
}

function memberNamed(name: string): Build<'string'> {
  return ({ compileText }, text) => {
    const source = stringOf(text);
    return memberCalc({ kind: 'member', hierarchy: undefined }, [text], (evaluator) =>
      memberOf(compileText(requiredText(source(evaluator), name)))(evaluator),
    );
  };
}

export const MEMBER_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'CurrentMember',
    syntax: 'property',
    parameters: 'hierarchy',
    description: 'The current member of the hierarchy.',
    shape: 'current member',
    build: (_, arg) => currentMember(arg),
  }),
  define({
    name: 'DefaultMember',
    syntax: 'property',
    parameters: 'hierarchy',
    description: 'The member of a hierarchy that applies if a query names no other.',
    build: ({ scope }, arg) => {
      const hierarchy = hierarchyCalcOf(arg);
      const type: MemberType = { kind: 'member', hierarchy: hierarchyOf(arg.type) };
      return memberCalc(type, [arg], (evaluator) => {
        const { isMeasures, defaultMember } = hierarchy(evaluator);
        return isMeasures ? scope.defaultMeasure : defaultMember;
      });
    },
  }),
  navigation('Parent', 'The parent.', parentOf),
  navigation('FirstChild', 'The first child.', (member) => childrenOf(member)[0] ?? member.hierarchy.nullMember),
  navigation('LastChild', 'The last child.', (member) => childrenOf(member).at(-1) ?? member.hierarchy.nullMember),
  navigation('FirstSibling', 'The first child of the same parent.', (member) => siblingsOf(member)[0] ?? member),
  navigation('LastSibling', 'The last child of the same parent.', (member) => siblingsOf(member).at(-1) ?? member),
  navigation('PrevMember', 'The member before this one in its level.', (member) => lead(member, -1)),
  navigation('NextMember', 'The member after this one in its level.', (member) => lead(member, 1)),
  navigation(
    'DataMember',
    "A parent-child member's own data, without that of the members below; the all member has none.",
    (member) => (member.kind === 'all' ? member.hierarchy.nullMember : member.hierarchy.members.dataMember(member)),
  ),
  define({
    name: 'Lag',
    syntax: 'method',
    parameters: 'member numeric',
    description: 'The member a number of positions before this one in its level.',
    build: lag(-1),
  }),
  define({
    name: 'Lead',
    syntax: 'method',
    parameters: 'member numeric',
    description: 'The member a number of positions after this one in its level.',
    build: lag(1),
  }),
  define({
    name: 'Ancestor',
    syntax: 'function',
    parameters: 'member level',
    description: 'The ancestor at a level.',
    build: (_, arg, at) => {
      const member = memberOf(arg);
      const level = levelOf(at);
      requireSameHierarchy('Ancestor', at, arg);
      return memberCalc({ kind: 'member', hierarchy: memberTypeOf(arg).hierarchy }, [arg, at], (evaluator) =>
        ancestorAt(member(evaluator), level(evaluator)),
      );
    },
  }),
  define({
    name: 'Ancestor',
    syntax: 'function',
    parameters: 'member numeric',
    description: 'The ancestor at a number of steps.',
    build: (_, arg, steps) => {
      const member = memberOf(arg);
      const distance = numberOf(steps);
      return memberCalc({ kind: 'member', hierarchy: memberTypeOf(arg).hierarchy }, [arg, steps], (evaluator) =>
        ancestor(evaluator, member(evaluator), distance(evaluator) ?? 0),
      );
    },
  }),
  define({
    name: 'Cousin',
    syntax: 'function',
    parameters: 'member member',
    description: 'The member at the same position below another ancestor.',
    build: (_, arg, at) => {
      const member = memberOf(arg);
      const target = memberOf(at);
      requireSameHierarchy('Cousin', at, arg);
      return memberCalc({ kind: 'member', hierarchy: memberTypeOf(arg).hierarchy }, [arg, at], (evaluator) =>
        cousinOf(member(evaluator), target(evaluator)),
      );
    },
  }),
  define({
    name: 'CalculatedChild',
    syntax: 'method',
    parameters: 'member string',
    description: 'The calculated child of a member, by name.',
    resolvesAtRuntime: true,
    build: ({ scope }, arg, text) => {
      const member = memberOf(arg);
      const name = stringOf(text);
      return memberCalc({ kind: 'member', hierarchy: memberTypeOf(arg).hierarchy }, [arg, text], (evaluator) => {
        const parent = member(evaluator);
        return scope.calculatedChild(parent.hierarchy, parent, name(evaluator) ?? '') ?? parent.hierarchy.nullMember;
      });
    },
  }),
  define({
    name: 'StrToMember',
    syntax: 'function',
    parameters: 'string',
    description: 'The member that a text names.',
    resolvesAtRuntime: true,
    build: memberNamed('StrToMember'),
  }),
  define({
    name: 'Members',
    syntax: 'function',
    parameters: 'string',
    description: 'The member that a text names.',
    resolvesAtRuntime: true,
    build: memberNamed('Members'),
  }),
  define({
    name: 'Item',
    syntax: 'method',
    parameters: 'tuple numeric',
    description: 'The member at an index of a tuple, from 0; null beyond the end.',
    build: (_, arg, index) => memberAt(arg, index),
  }),
  define({
    name: 'Level',
    syntax: 'property',
    parameters: 'member',
    description: 'The level of a member.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return levelCalc(memberTypeOf(arg).hierarchy, [arg], (evaluator) => member(evaluator).level);
    },
  }),
  define({
    name: 'Hierarchy',
    syntax: 'property',
    parameters: 'hierarchy',
    description: 'The hierarchy of a member or a level.',
    build: (_, arg) => {
      const hierarchy = hierarchyCalcOf(arg);
      return hierarchyCalc(hierarchyOf(arg.type), [arg], hierarchy);
    },
  }),
  define({
    name: 'Dimension',
    syntax: 'property',
    parameters: 'dimension',
    description: 'The dimension of a hierarchy, a level or a member.',
    build: (_, arg) => {
      const dimension = dimensionOf(arg);
      return dimensionCalc(hierarchyOf(arg.type)?.dimension, [arg], dimension);
    },
  }),
  define({
    name: 'Levels',
    syntax: 'method',
    parameters: 'hierarchy numeric',
    description: 'The level at a depth, from 0 for the topmost.',
    build: (_, arg, depth) => {
      const hierarchy = hierarchyCalcOf(arg);
      const index = numberOf(depth);
      return levelCalc(hierarchyOf(arg.type), [arg, depth], (evaluator) => {
        const at = index(evaluator) ?? -1;
        const level = hierarchy(evaluator).levels[at];
        if (level === undefined) throw new MdxError(`Index '${at}' out of bounds`);
        return level;
      });
    },
  }),
  define({
    name: 'Levels',
    syntax: 'method',
    parameters: 'hierarchy string',
    description: 'The level of a name.',
    build: (_, arg, text) => {
      const hierarchy = hierarchyCalcOf(arg);
      const name = stringOf(text);
      return levelCalc(hierarchyOf(arg.type), [arg, text], (evaluator) => {
        const levelName = name(evaluator) ?? '';
        const of = hierarchy(evaluator);
        const level = oneNamed(of.levels, levelName);
        if (level === undefined) throw new MdxError(`Level '${levelName}' not found in hierarchy '${of.uniqueName}'`);
        return level;
      });
    },
  }),
  define({
    name: 'Levels',
    syntax: 'function',
    parameters: 'string',
    description: 'The level that a text names.',
    build: ({ scope }, text) => {
      const name = stringOf(text);
      return levelCalc(undefined, [text], (evaluator) => {
        const levelName = requiredText(name(evaluator), 'Levels');
        const visibleLevels = scope.cube.hierarchies.filter(({ visible }) => visible).flatMap(({ levels }) => levels);
        const level = oneNamed(visibleLevels, levelName, ({ uniqueName }) => [uniqueName]);
        if (level === undefined) throw new MdxError(`Level '${levelName}' not found`);
        return level;
      });
    },
  }),
  define({
    name: 'Dimensions',
    syntax: 'function',
    parameters: 'numeric',
    description: 'The hierarchy of the cube at an index, from 0.',
    build: ({ scope }, place) => {
      const index = numberOf(place);
      return hierarchyCalc(undefined, [place], (evaluator) => {
        const at = index(evaluator) ?? -1;
        const hierarchy = scope.cube.hierarchies.filter(({ visible }) => visible)[at];
        if (hierarchy === undefined) throw new MdxError(`Index '${at}' out of bounds`);
        return hierarchy;
      });
    },
  }),
  define({
    name: 'Dimensions',
    syntax: 'function',
    parameters: 'string',
    description: 'The hierarchy that a text names.',
    build: ({ scope }, text) => {
      const name = stringOf(text);
      return hierarchyCalc(undefined, [text], (evaluator) => {
        const hierarchyName = name(evaluator) ?? '';
        const visible = scope.cube.hierarchies.filter((each) => each.visible);
        const hierarchy = oneNamed(visible, hierarchyName, (each) => [each.uniqueName, each.name]);
        if (hierarchy === undefined) throw new MdxError(`Dimension '${hierarchyName}' not found`);
        return hierarchy;
      });
    },
  }),
];

function memberAt(calc: Calc, index: Calc): Calc {
  const place = numberOf(index);
  const element = elementOf(calc.type) ?? [];
  const [first] = element;
  const nullAt = (at: number) => nullOf((element[at] ?? first)?.hierarchy);
  const fixed = index.kind === 'scalar' && typeof index.constant === 'number' ? element[index.constant] : undefined;
  const type: MemberType = {
    kind: 'member',
    hierarchy: (fixed ?? (element.length === 1 ? first : undefined))?.hierarchy,
  };
  if (calc.kind !== 'tuple') {
    const member = memberOf(calc);
    return memberCalc(type, [calc, index], (evaluator) => {
      const of = member(evaluator);
      return place(evaluator) === 0 ? of : of.hierarchy.nullMember;
    });
  }
  return memberCalc(type, [calc, index], (evaluator) => {
    const at = place(evaluator) ?? -1;
    return calc.evaluate(evaluator)?.[at] ?? nullAt(at);
  });
}

/**
 * Returns the text argument of a function.
 *
 * @throws MdxError if the text is empty (null)
 */
export function requiredText(text: string | null, name: string): string {
  if (text === null) throw new MdxError(`${name} was given no text.`);
  return text;
}
