import type { Hierarchy, Member, Tuple, Value } from '../catalog/member.ts';
import { childrenOf, parentOf } from '../catalog/navigate.ts';
import { MdxError } from '../errors.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import {
  type Calc,
  dimensionOf,
  hierarchyCalcOf,
  levelOf,
  memberOf,
  numericCalc,
  scalarCalc,
  scalarOf,
  setCalc,
  setOf,
  stringOf,
  tupleCalc,
  tupleOf,
} from '../resolve/calc.ts';
import { checkDistinct } from '../resolve/constructors.ts';
import { elementOf, STRING, VALUE } from '../resolve/types.ts';
import { define, type FunctionDefinition } from './define.ts';
import { textOf } from './members.ts';
import { required } from './required.ts';

/** Names of things as text, things named by text, and member properties. */

type Named = { readonly name: string; readonly uniqueName: string; readonly caption: string };

function nameFunctions(name: string, what: string, pick: (of: Named) => string): readonly FunctionDefinition[] {
  const sources = { member: memberOf, level: levelOf, hierarchy: hierarchyCalcOf, dimension: dimensionOf } as const;
  return (['member', 'level', 'hierarchy', 'dimension'] as const).map((kind) =>
    define(name, 'property', kind, `${what} of a ${kind}.`, (_, arg) => {
      const of: (evaluator: Evaluator) => Named = sources[kind](required(arg));
      return scalarCalc(STRING, [arg], (evaluator) => pick(of(evaluator)));
    }),
  );
}

function tupleText(tuple: Tuple): string {
  const names = tuple.map(({ uniqueName }) => uniqueName);
  return names.length === 1 ? names.join() : `(${names.join(', ')})`;
}

/** Properties every member has, besides those its level declares. */
const INTRINSIC: Readonly<Record<string, (member: Member, evaluator: Evaluator) => Value>> = {
  NAME: ({ name }) => name,
  CAPTION: ({ caption }) => caption,
  MEMBER_NAME: ({ name }) => name,
  MEMBER_CAPTION: ({ caption }) => caption,
  MEMBER_UNIQUE_NAME: ({ uniqueName }) => uniqueName,
  MEMBER_KEY: ({ key, name }) => key ?? name,
  KEY: ({ key, name }) => key ?? name,
  MEMBER_TYPE: ({ kind }) => (kind === 'all' ? 2 : kind === 'measure' ? 3 : kind === 'calculated' ? 4 : 1),
  MEMBER_ORDINAL: ({ order }) => order,
  MEMBER_GUID: () => null,
  DESCRIPTION: ({ measure }) => measure?.description ?? null,
  VISIBLE: ({ measure }) => measure?.visible ?? true,
  LEVEL_UNIQUE_NAME: ({ level }) => level.uniqueName,
  LEVEL_NUMBER: (member) => (member.level.isParentChild ? member.depth : member.level.depth),
  HIERARCHY_UNIQUE_NAME: ({ hierarchy }) => hierarchy.uniqueName,
  DIMENSION_UNIQUE_NAME: ({ hierarchy }) => hierarchy.dimension.uniqueName,
  PARENT_UNIQUE_NAME: (member) => (parentOf(member).isNull ? null : parentOf(member).uniqueName),
  PARENT_LEVEL: (member) => (parentOf(member).isNull ? 0 : parentOf(member).level.depth),
  PARENT_COUNT: (member) => (parentOf(member).isNull ? 0 : 1),
  CHILDREN_CARDINALITY: (member) => childrenOf(member).length,
  DEPTH: (member) => member.depth,
  CATALOG_NAME: (_, { cube }) => cube.schema.name,
  SCHEMA_NAME: (_, { cube }) => cube.schema.name,
  CUBE_NAME: (_, { cube }) => cube.name,
};

/** Names a property of any level of the hierarchy has; other names are the caller's mistake. */
function declares(hierarchy: Hierarchy, name: string): boolean {
  return hierarchy.levels.some(({ model }) =>
    model?.properties.some((property) => property.name.toLowerCase() === name),
  );
}

function property(member: Member, name: string, evaluator: Evaluator): Value {
  const key = name.toLowerCase();
  const own = member.properties.get(key);
  if (own !== undefined) return own;
  const intrinsic = INTRINSIC[name.toUpperCase()];
  if (intrinsic !== undefined) return intrinsic(member, evaluator);
  const calculated = member.calculation?.property(name, evaluator);
  if (calculated !== undefined) return calculated;
  if (declares(member.hierarchy, key)) return null;
  throw new MdxError(`Property '${name}' is not valid for member '${member.uniqueName}'`);
}

function strToTuple(
  { compileText }: { compileText(text: string): Calc },
  text: Calc,
  hierarchies: readonly Calc[],
): Calc {
  const name = stringOf(text);
  const members = hierarchies.flatMap((each) => elementOf(each.type) ?? []);
  checkDistinct(members);
  const compiled = (evaluator: Evaluator) => compileText(textOf(name(evaluator), 'StrToTuple'));
  const [only] = members;
  const calc = tupleCalc({ kind: 'tuple', members }, [text], (evaluator) => tupleOf(compiled(evaluator))(evaluator));
  return members.length === 1 && only !== undefined
    ? { ...calc, kind: 'member', type: only, evaluate: memberOf(calc) }
    : calc;
}

export const NAME_FUNCTIONS: readonly FunctionDefinition[] = [
  ...nameFunctions('Name', 'The name', ({ name }) => name),
  ...nameFunctions('UniqueName', 'The unique name', ({ uniqueName }) => uniqueName),
  ...nameFunctions('Unique_Name', 'The unique name', ({ uniqueName }) => uniqueName),
  ...nameFunctions('Caption', 'The caption', ({ caption }) => caption),
  ...nameFunctions('Member_Caption', 'The caption', ({ caption }) => caption),
  define('Ordinal', 'property', 'level', 'The depth of a level, the topmost being 0.', (_, arg) => {
    const level = levelOf(required(arg));
    return numericCalc([arg], (evaluator) => level(evaluator).depth);
  }),
  define('Level_Number', 'property', 'member', 'The depth of the level of a member.', (_, arg) => {
    const member = memberOf(required(arg));
    return numericCalc([arg], (evaluator) => member(evaluator).level.depth);
  }),
  define('Value', 'property', 'value', 'The value of the cell.', (_, arg) =>
    scalarCalc(VALUE, [arg], scalarOf(required(arg))),
  ),
  define('Properties', 'method', 'member string', 'A property of a member, by its name.', (_, arg, text) => {
    const member = memberOf(required(arg));
    const name = stringOf(required(text));
    return scalarCalc(VALUE, [arg, text], (evaluator) => property(member(evaluator), name(evaluator) ?? '', evaluator));
  }),
  define('SetToStr', 'function', 'set', 'A set as text.', (_, arg) => {
    const set = setOf(required(arg));
    return scalarCalc(STRING, [arg], (evaluator) => `{${set(evaluator).map(tupleText).join(', ')}}`);
  }),
  define('TupleToStr', 'function', 'tuple', 'A tuple as text.', (_, arg) => {
    const tuple = tupleOf(required(arg));
    return scalarCalc(STRING, [arg], (evaluator) => {
      const found = tuple(evaluator);
      return found === undefined ? '' : tupleText(found);
    });
  }),
  define('MemberToStr', 'function', 'member', 'The unique name of a member.', (_, arg) => {
    const member = memberOf(required(arg));
    return scalarCalc(STRING, [arg], (evaluator) => member(evaluator).uniqueName);
  }),
  define(
    'StrToSet',
    'function',
    'string hierarchy*',
    'The set that a text describes.',
    ({ compileText }, text, ...hierarchies) => {
      const name = stringOf(required(text));
      const members = hierarchies.flatMap((each) => elementOf(each.type) ?? []);
      checkDistinct(members);
      return setCalc({ kind: 'set', element: members.length === 0 ? undefined : members }, [text], (evaluator) =>
        setOf(compileText(textOf(name(evaluator), 'StrToSet')))(evaluator),
      );
    },
  ),
  define(
    'StrToTuple',
    'function',
    'string hierarchy*',
    'The tuple that a text describes.',
    (context, text, ...hierarchies) => strToTuple(context, required(text), hierarchies),
  ),
];
