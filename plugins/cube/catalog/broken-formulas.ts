/** Checks the MDX texts of a schema: whether they parse, and whether their names exist. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { ServiceError } from '../../../router/errors.ts';
import type { CubeEngine } from '../engine/cube-engine.ts';
import { hasMeasure, MdxError, parseExpressionText } from '../mdx/index.ts';
import { cubeOfGrant, isMeasures } from '../schema/check/find-elements.ts';
import type * as model from '../schema/model.ts';

interface Formula {
  readonly of: string;
  readonly mdx: string;
  /** The line of the schema's text at which the formula begins. */
  readonly line: number;
}

/** Milliseconds for resolving the names in formulas and grants. */
const CHECK_MS = 10_000;

/**
 * Resolves the formulas of a schema and the members that its roles grant. A name without a meaning is a warning, and
 * the cubes serve the rest. Without data, the check reports only mistakes that do not depend on data. It skips formulas
 * that depend on a missing table, because the table has its own warning.
 */
export async function resolutionProblems(
  engine: Pick<CubeEngine, 'check'>,
  { hasData, isMissingTables = false }: { readonly hasData: boolean; readonly isMissingTables?: boolean },
): Promise<readonly DatasourceProblem[]> {
  try {
    const { mistakes, failure } = await engine.check({ hasData, timeMs: CHECK_MS });
    const problems = new Map<string, DatasourceProblem>();
    for (const { line, message } of mistakes) {
      // A virtual cube repeats the formulas of its base cubes under its own name.
      const key = `${line} ${message.split(':')[0]}`;
      if (!problems.has(key)) problems.set(key, { severity: 'warning', line, message });
    }
    const sorted = [...problems.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
    return failure === undefined || isMissingTables ? sorted : [...sorted, notLookedUp(failure)];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [notLookedUp(error)];
  }
}

function notLookedUp({ message }: ServiceError): DatasourceProblem {
  return { severity: 'warning', message: `Formulas and grants of members were not all looked up: ${message}` };
}

export interface CheckedFormulas {
  /** The schema without the calculated members, named sets and properties of measures that are not MDX. */
  readonly schema: model.Schema;
  /** One error for each of these texts, in the order of their lines. */
  readonly problems: readonly DatasourceProblem[];
}

/**
 * Parses every MDX text of a schema and removes the texts that are not MDX, so that the rest can be served. A
 * calculated member with a broken property is removed, because the property might decide its values. A stored measure
 * loses only the property.
 */
export function withoutBrokenFormulas(schema: model.Schema): CheckedFormulas {
  const problems = new Map<string, DatasourceProblem>();
  const isRight = (formula: Formula): boolean => {
    const problem = problemOf(formula);
    // A virtual cube repeats the formulas of its base cubes.
    if (problem !== undefined) problems.set(`${problem.line} ${problem.message}`, problem);
    return problem === undefined;
  };
  const areRight = (formulas: readonly Formula[]): boolean => formulas.map(isRight).every(Boolean);
  const cubes = schema.cubes.map((cube) => ({
    ...cube,
    calculatedMembers: cube.calculatedMembers.filter((member) => areRight(formulasOfMember(member))),
    namedSets: cube.namedSets.filter((set) => isRight(formulaOfSet(set))),
    measures: cube.measures.map((measure) => ({
      ...measure,
      properties: measure.properties.filter((property) =>
        areRight(expressionsOf(`the measure ${measure.name}`, [property])),
      ),
    })),
  }));
  if (problems.size === 0) return { schema, problems: [] };
  return {
    schema: { ...schema, cubes, roles: schema.roles.map((role) => withoutDenialsOf(role, schema.cubes, cubes)) },
    problems: [...problems.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0)),
  };
}

/**
 * Returns the role without grants that hide a removed measure. The measure is gone anyway, and a grant that hides a
 * missing measure would hide all measures.
 */
function withoutDenialsOf(role: model.Role, before: readonly model.Cube[], after: readonly model.Cube[]): model.Role {
  if (role.kind === 'union') return role;
  const isStale = (grant: model.CubeGrant, { member, access }: model.MemberGrant): boolean => {
    const had = cubeOfGrant(grant, before);
    const has = had === undefined ? undefined : after[before.indexOf(had)];
    if (access === 'all' || had === undefined || has === undefined) return false;
    return hasMeasure(had, member) && !hasMeasure(has, member);
  };
  const hierarchiesOf = (grant: model.CubeGrant) =>
    grant.hierarchies.map((hierarchy) =>
      isMeasures(hierarchy.hierarchy)
        ? { ...hierarchy, members: hierarchy.members.filter((member) => !isStale(grant, member)) }
        : hierarchy,
    );
  return {
    ...role,
    schemaGrants: role.schemaGrants.map((schemaGrant) => ({
      ...schemaGrant,
      cubes: schemaGrant.cubes.map((grant) => ({ ...grant, hierarchies: hierarchiesOf(grant) })),
    })),
  };
}

function formulasOfMember({ name, formula, formulaLine, properties }: model.CalculatedMember): readonly Formula[] {
  const of = `the calculated member ${name}`;
  return [{ of, mdx: formula, line: formulaLine }, ...expressionsOf(of, properties)];
}

function formulaOfSet({ name, formula, formulaLine }: model.NamedSet): Formula {
  return { of: `the named set ${name}`, mdx: formula, line: formulaLine };
}

function expressionsOf(of: string, properties: readonly model.CalculatedProperty[]): readonly Formula[] {
  return properties.flatMap(({ name, content, line }) =>
    content.kind === 'expression' ? [{ of: `the property ${name} of ${of}`, mdx: content.mdx, line }] : [],
  );
}

function problemOf({ of, mdx, line }: Formula): DatasourceProblem | undefined {
  try {
    parseExpressionText(mdx);
    return undefined;
  } catch (error) {
    if (!(error instanceof MdxError)) throw error;
    const at = error.position?.line ?? 1;
    const message = error.message.replace(/^Syntax error at line \d+, column (\d+), /, 'column $1, ');
    return { severity: 'error', line: line + at - 1, message: `The formula of ${of} is not MDX: ${message}` };
  }
}
