import type { FunctionShape } from '../compile/calc.ts';
import { type Calc, numericCalc, scalarCalc, setCalc, tupleCalc } from '../compile/calc.ts';
import { checkDistinct } from '../compile/constructors.ts';
import {
  dimensionOf,
  hierarchyCalcOf,
  levelOf,
  memberOf,
  scalarOf,
  setOf,
  stringOf,
  tupleOf,
} from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { elementOf, STRING, VALUE } from '../compile/expression-types.ts';
import { memberProperty } from '../compile/member-properties.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Tuple } from '../metadata/member.ts';
import { requiredText } from './members.ts';

/** Functions that return names, resolve texts to elements, or return member properties. */

type Named = { readonly name: string; readonly uniqueName: string; readonly caption: string };

function nameFunctions(
  name: string,
  what: string,
  pick: (of: Named) => string,
  shape?: FunctionShape,
): readonly FunctionDefinition[] {
  const sources = { member: memberOf, level: levelOf, hierarchy: hierarchyCalcOf, dimension: dimensionOf } as const;
  return (['member', 'level', 'hierarchy', 'dimension'] as const).map((kind) =>
    define({
      name,
      syntax: 'property',
      parameters: kind,
      description: `${what} of a ${kind}.`,
      shape,
      build: (_, arg) => {
        const of: (evaluator: Evaluator) => Named = sources[kind](arg);
        return scalarCalc(STRING, [arg], (evaluator) => pick(of(evaluator)));
      },
    }),
  );
}

function tupleText(tuple: Tuple): string {
  const names = tuple.map(({ uniqueName }) => uniqueName);
  return names.length === 1 ? names.join() : `(${names.join(', ')})`;
}

function strToTuple(
  { compileText }: { compileText(text: string): Calc },
  text: Calc,
  hierarchies: readonly Calc[],
): Calc {
  const name = stringOf(text);
  const members = hierarchies.flatMap((each) => elementOf(each.type) ?? []);
  checkDistinct(members);
  const compiled = (evaluator: Evaluator) => compileText(requiredText(name(evaluator), 'StrToTuple'));
  const [only] = members;
  const calc = tupleCalc({ kind: 'tuple', members }, [text], (evaluator) => tupleOf(compiled(evaluator))(evaluator));
  return members.length === 1 && only !== undefined
    ? { ...calc, kind: 'member', type: only, evaluate: memberOf(calc) }
    : calc;
}

export const NAME_FUNCTIONS: readonly FunctionDefinition[] = [
  ...nameFunctions('Name', 'The name', ({ name }) => name, 'member name'),
  ...nameFunctions('UniqueName', 'The unique name', ({ uniqueName }) => uniqueName),
  ...nameFunctions('Unique_Name', 'The unique name', ({ uniqueName }) => uniqueName),
  ...nameFunctions('Caption', 'The caption', ({ caption }) => caption, 'member name'),
  ...nameFunctions('Member_Caption', 'The caption', ({ caption }) => caption, 'member name'),
  define({
    name: 'Ordinal',
    syntax: 'property',
    parameters: 'level',
    description: 'The depth of a level, from 0 for the topmost.',
    build: (_, arg) => {
      const level = levelOf(arg);
      return numericCalc([arg], (evaluator) => level(evaluator).depth);
    },
  }),
  define({
    name: 'Level_Number',
    syntax: 'property',
    parameters: 'member',
    description: "The depth of a member's level.",
    build: (_, arg) => {
      const member = memberOf(arg);
      return numericCalc([arg], (evaluator) => member(evaluator).level.depth);
    },
  }),
  define({
    name: 'Value',
    syntax: 'property',
    parameters: 'value',
    description: 'The value of the cell.',
    build: (_, arg) => scalarCalc(VALUE, [arg], scalarOf(arg)),
  }),
  define({
    name: 'Properties',
    syntax: 'method',
    parameters: 'member string TYPED?',
    description: 'A property of a member, by name. The value keeps its type, with or without TYPED.',
    build: (_, arg, text) => {
      const member = memberOf(arg);
      const name = stringOf(text);
      return scalarCalc(VALUE, [arg, text], (evaluator) =>
        memberProperty(member(evaluator), name(evaluator) ?? '', evaluator),
      );
    },
  }),
  define({
    name: 'SetToStr',
    syntax: 'function',
    parameters: 'set',
    description: 'A set as text.',
    build: (_, arg) => {
      const set = setOf(arg);
      return scalarCalc(STRING, [arg], (evaluator) => `{${set(evaluator).map(tupleText).join(', ')}}`);
    },
  }),
  define({
    name: 'TupleToStr',
    syntax: 'function',
    parameters: 'tuple',
    description: 'A tuple as text.',
    build: (_, arg) => {
      const tuple = tupleOf(arg);
      return scalarCalc(STRING, [arg], (evaluator) => {
        const members = tuple(evaluator);
        return members === undefined ? '' : tupleText(members);
      });
    },
  }),
  define({
    name: 'MemberToStr',
    syntax: 'function',
    parameters: 'member',
    description: 'The unique name of a member.',
    build: (_, arg) => {
      const member = memberOf(arg);
      return scalarCalc(STRING, [arg], (evaluator) => member(evaluator).uniqueName);
    },
  }),
  define({
    name: 'StrToSet',
    syntax: 'function',
    parameters: 'string hierarchy*',
    description: 'The set that a text describes.',
    resolvesAtRuntime: true,
    build: ({ compileText }, text, ...hierarchies) => {
      const name = stringOf(text);
      const members = hierarchies.flatMap((each) => elementOf(each.type) ?? []);
      checkDistinct(members);
      return setCalc({ kind: 'set', element: members.length === 0 ? undefined : members }, [text], (evaluator) =>
        setOf(compileText(requiredText(name(evaluator), 'StrToSet')))(evaluator),
      );
    },
  }),
  define({
    name: 'StrToTuple',
    syntax: 'function',
    parameters: 'string hierarchy*',
    description: 'The tuple that a text describes.',
    resolvesAtRuntime: true,
    build: (context, text, ...hierarchies) => strToTuple(context, text, hierarchies),
  }),
];
