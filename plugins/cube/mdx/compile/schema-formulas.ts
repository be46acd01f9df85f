import { segmentsOf } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { Member } from '../metadata/member.ts';
import type { Expression, Identifier, MemberProperty, Segment } from '../syntax/ast.ts';
import { inSchemaFormula, MdxError, MdxLimitError, START } from '../syntax/errors.ts';
import { parseExpressionText } from '../syntax/parse-statement.ts';
import { declareMember, declareSet, type MemberDeclaration } from './declared-formulas.ts';
import { lookUp, lookUpHierarchy } from './look-up-name.ts';
import type { Scope } from './scope.ts';

/**
 * Declares the calculated members and named sets of a cube for a query. A member that cannot be declared is left out,
 * and the rest still work. The check of the schema reports it.
 */
export function declareSchemaFormulas(query: Scope): void {
  const scope = query.forSchema();
  for (const member of scope.cube.model.calculatedMembers) {
    try {
      declareSchemaMember(scope, member);
    } catch (error) {
      if (!(error instanceof MdxError) || error instanceof MdxLimitError) throw error;
    }
  }
  // A set returns members, so it may only use members that the role sees.
  for (const { name, formula, formulaLine } of query.cube.model.namedSets) {
    declareSet(query, name, parsed(`named set '${name}'`, formulaLine, formula), formulaLine);
  }
}

/**
 * Declares a calculated member of the schema. Returns `undefined` if the role may not see its hierarchy or parent.
 *
 * @throws MdxError if its parent, hierarchy or solve order is invalid; may throw `DataNotLoaded`
 */
export function declareSchemaMember(scope: Scope, member: model.CalculatedMember): Member | undefined {
  const { above, formula } = declarationOf(member);
  const element = member.parent === undefined ? lookUpHierarchy(scope, above) : lookUp(scope, above);
  if (element === undefined) return undefined;
  return declareMember(scope, {
    ...formula,
    hierarchy: element.kind === 'hierarchy' ? element.hierarchy : undefined,
  });
}

/** A calculated member's texts, parsed. */
interface Declaration {
  /** The name of its parent or hierarchy. */
  readonly above: Identifier['segments'];
  readonly formula: Omit<MemberDeclaration, 'hierarchy'>;
}

/** Each query declares the calculated members of its cube. Their texts stay the same. */
const DECLARATIONS = new WeakMap<model.CalculatedMember, Declaration>();

function declarationOf(member: model.CalculatedMember): Declaration {
  const existing = DECLARATIONS.get(member);
  if (existing !== undefined) return existing;
  const above = segmentsOf(member.parent ?? member.hierarchy);
  if (above === undefined) throw new MdxError(`The calculated member ${member.name} has no place in a hierarchy.`);
  const declaration: Declaration = {
    above: identifier(above).segments,
    formula: {
      name: identifier([...above, member.name]),
      value: parsed(`calculated member '${member.name}'`, member.formulaLine, member.formula),
      properties: propertiesOf(member),
      caption: member.caption,
      schemaLine: member.formulaLine,
    },
  };
  DECLARATIONS.set(member, declaration);
  return declaration;
}

function parsed(what: string, line: number, formula: string): Expression {
  return inSchemaFormula(what, line, () => parseExpressionText(formula));
}

function identifier(names: readonly string[]): Identifier {
  const [first = '', ...rest] = names.map((name): Segment => ({ kind: 'name', name, quoted: true, position: START }));
  if (first === '') throw new MdxError('A name is missing.');
  return { kind: 'identifier', segments: [first, ...rest], position: START };
}

function propertiesOf(of: model.CalculatedMember): readonly MemberProperty[] {
  const { properties, formatString, solveOrder } = of;
  const memberProperties: MemberProperty[] = properties.map(({ name, content }) => ({
    name,
    value:
      content.kind === 'value'
        ? { kind: 'string', value: content.value, position: START }
        : parsed(`property '${name}' of calculated member '${of.name}'`, of.line, content.mdx),
  }));
  const has = (name: string) => memberProperties.some((property) => property.name.toUpperCase() === name);
  if (formatString !== undefined && !has('FORMAT_STRING')) {
    memberProperties.push({ name: 'FORMAT_STRING', value: { kind: 'string', value: formatString, position: START } });
  }
  if (solveOrder !== undefined && !has('SOLVE_ORDER')) {
    memberProperties.push({ name: 'SOLVE_ORDER', value: { kind: 'number', value: solveOrder, position: START } });
  }
  return memberProperties;
}
