import { WarehouseError } from '../../../../router/errors.ts';
import { cubeOfGrant, isMeasures } from '../../schema/check/find-elements.ts';
import type * as model from '../../schema/model.ts';
import { compileWhole, declareSet } from '../compile/declared-formulas.ts';
import { declareSchemaMember } from '../compile/schema-formulas.ts';
import { type FunctionTable, Scope } from '../compile/scope.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { QueryExecution } from '../evaluate/query-execution.ts';
import { functionsOf } from '../functions/scripted.ts';
import { MAX_SUGGESTIONS } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import { blindingGrants, hasMeasure, isOfHierarchy, unresolvedGrants } from '../security/role-access.ts';
import type { Expression } from '../syntax/ast.ts';
import { MdxError, MdxLimitError, MdxSchemaError } from '../syntax/errors.ts';
import { nearest } from '../syntax/nearest-candidates.ts';
import { parseExpressionText } from '../syntax/parse-statement.ts';
import { walk } from '../syntax/walk.ts';

/** A mistake in a schema: a name without a meaning. */
export interface SchemaMistake {
  readonly line: number;
  readonly message: string;
}

export interface CheckOptions {
  /** True if members may be looked up. Otherwise, names that depend on members count as correct. */
  readonly hasData: boolean;
  /** The instant at which the check stops, in epoch milliseconds. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Yields the event loop; see `cooperativeYield`. */
  readonly yieldTurn: () => Promise<void>;
}

export interface CheckResult {
  readonly mistakes: readonly SchemaMistake[];
  /** The first error of the warehouse, such as a missing table. It is not a mistake of a formula. */
  readonly failure: WarehouseError | undefined;
}

/** Resolves every formula of a cube, and every member of it that roles grant. Computes no cell. */
export async function checkCube(cube: RuntimeCube, options: CheckOptions): Promise<CheckResult> {
  const run = new QueryExecution(cube, options.signal, options.deadline);
  /** Returns `undefined` if the check cannot decide without data, or without a table that is missing. */
  let failure: WarehouseError | undefined;
  const settled: Settled = async (compute) => {
    await options.yieldTurn();
    try {
      return options.hasData ? await run.runUntilLoaded(compute) : compute();
    } catch (error) {
      if (error instanceof WarehouseError) failure ??= error;
      else if (!(error instanceof DataNotLoaded)) throw error;
      return undefined;
    }
  };
  const mistakes = [
    ...(await formulaMistakes(cube, settled)),
    ...(await grantMistakes(cube, settled)),
    ...(await blindRoles(cube, settled)),
  ];
  return { mistakes, failure };
}

type Settled = <T>(compute: () => T) => Promise<T | undefined>;

async function formulaMistakes(cube: RuntimeCube, settled: Settled): Promise<readonly SchemaMistake[]> {
  /** Mistakes by line and reason. A mistake in a set occurs in every formula that uses the set. */
  const mistakes = new Map<string, SchemaMistake>();
  const wrong = new Set<string>();
  const attempt = async (of: string, line: number, compute: () => unknown): Promise<void> => {
    try {
      await settled(compute);
    } catch (error) {
      if (!(error instanceof MdxError) || error instanceof MdxLimitError) throw error;
      const at = error instanceof MdxSchemaError ? error.line : line + (error.position?.line ?? 1) - 1;
      const reason = error instanceof MdxSchemaError ? error.reason : error.message;
      const near = (error.available ?? []).slice(0, MAX_SUGGESTIONS).join(', ');
      const message = `The formula of ${of} cannot be resolved: ${reason}${near === '' ? '' : `; near it: ${near}`}`;
      wrong.add(of);
      const key = `${at} ${reason}`;
      if (!mistakes.has(key)) mistakes.set(key, { line: at, message });
    }
  };
  // Checks without data come first, so that mistakes have the same message with and without data.
  for (const { of, line, mdx } of formulasOf(cube.model)) {
    await attempt(of, line, () => checkNames(parseExpressionText(mdx), cube.model, functionsOf(cube.schema)));
  }
  const scope = new Scope({ cube, functions: functionsOf(cube.schema) }).forSchema();
  const declared: { readonly of: string; readonly line: number; readonly compile: () => void }[] = [];
  for (const member of cube.model.calculatedMembers) {
    const { name, hierarchy, parent, formulaLine: line } = member;
    const of = `the calculated member ${name}`;
    await attempt(of, line, () => {
      const added = declareSchemaMember(scope, member);
      if (added === undefined) throw new MdxError(`there is no ${parent ?? hierarchy}`);
      declared.push({ of, line, compile: () => compileWhole(added) });
    });
  }
  for (const { name, formula, formulaLine: line } of cube.model.namedSets) {
    const of = `the named set ${name}`;
    await attempt(of, line, () => {
      const set = declareSet(scope, name, parseExpressionText(formula), line);
      declared.push({ of, line, compile: () => set.calc() });
    });
  }
  // Any formula may use a declaration that could not be resolved without data.
  const decided = new Set([...wrong, ...declared.map(({ of }) => of)]);
  if (formulasOf(cube.model).some(({ of }) => !decided.has(of))) return [...mistakes.values()];
  for (const { of, line, compile } of declared) if (!wrong.has(of)) await attempt(of, line, compile);
  return [...mistakes.values()];
}

function formulasOf({ calculatedMembers, namedSets }: model.Cube) {
  return [
    ...calculatedMembers.map(({ name, formula, formulaLine }) => {
      return { of: `the calculated member ${name}`, mdx: formula, line: formulaLine };
    }),
    ...namedSets.map(({ name, formula, formulaLine }) => {
      return { of: `the named set ${name}`, mdx: formula, line: formulaLine };
    }),
  ];
}

/**
 * Checks that the functions and measures of a formula exist.
 *
 * @throws MdxError if one does not
 */
function checkNames(formula: Expression, cube: model.Cube, functions: FunctionTable): void {
  walk(formula, (expression) => {
    if (expression.kind === 'call') checkFunction(expression, functions);
    else if (expression.kind === 'identifier') checkMeasure(expression, cube, functions);
  });
}

function checkFunction(
  { name, syntax, position }: Expression & { readonly kind: 'call' },
  functions: FunctionTable,
): void {
  if (!['function', 'method', 'property'].includes(syntax) || functions.byName.has(name.toUpperCase())) return;
  throw new MdxError(`There is no function ${name}`, position, nearest(name, functions.names, MAX_SUGGESTIONS));
}

function checkMeasure(
  { segments, position }: Expression & { readonly kind: 'identifier' },
  cube: model.Cube,
  functions: FunctionTable,
): void {
  const [first, second] = segments;
  if (first.kind !== 'name' || !isMeasures(`[${first.name}]`) || second?.kind !== 'name') return;
  const isFunction = !second.quoted && functions.propertyNames.has(second.name.toUpperCase());
  if (isFunction || /^measureslevel$/i.test(second.name) || hasMeasure(cube, `[${second.name}]`)) return;
  const names = [...cube.measures.filter(({ implied }) => !implied), ...cube.calculatedMembers];
  throw new MdxError(
    `There is no measure ${second.name} in the cube ${cube.name}`,
    position,
    nearest(
      second.name,
      names.map(({ name }) => name),
      MAX_SUGGESTIONS,
    ),
  );
}

async function grantMistakes(cube: RuntimeCube, settled: Settled): Promise<readonly SchemaMistake[]> {
  const mistakes: SchemaMistake[] = [];
  const report = (role: string, { member, access, line }: model.MemberGrant): void => {
    const message =
      access === 'all'
        ? `The role "${role}" is granted the member ${member}, which does not exist. This grant shows nothing.`
        : `The role "${role}" is denied the member ${member}, which does not exist. The nearest existing member above it is hidden instead.`;
    mistakes.push({ line, message });
  };
  for (const role of cube.schema.roles) {
    if (role.kind !== 'grants') continue;
    const grants = role.schemaGrants
      .flatMap(({ cubes }) => cubes)
      .filter((grant) => cubeOfGrant(grant, cube.schema.cubes)?.name === cube.name);
    for (const grant of grants.flatMap(({ hierarchies }) => hierarchies)) {
      if (grant.access !== 'custom') continue;
      if (isMeasures(grant.hierarchy)) {
        for (const each of grant.members) if (!hasMeasure(cube.model, each.member)) report(role.name, each);
        continue;
      }
      const hierarchy = cube.hierarchies.find((each) => isOfHierarchy(grant, each, cube.model));
      if (hierarchy === undefined) continue;
      const unresolved = await settled(() => unresolvedGrants(grant, hierarchy));
      for (const each of unresolved ?? []) report(role.name, each);
    }
  }
  return mistakes;
}

/** Reports roles that see the cube but none of its figures, because they see no member of a hierarchy. */
async function blindRoles(cube: RuntimeCube, settled: Settled): Promise<readonly SchemaMistake[]> {
  const mistakes: SchemaMistake[] = [];
  for (const { name } of cube.schema.roles) {
    for (const hierarchy of cube.hierarchies) {
      const grants = await settled(() => blindingGrants(cube.schema, cube.model, name, hierarchy) ?? []);
      for (const grant of grants ?? []) {
        const what = hierarchy.isMeasures ? 'measure' : `member of the hierarchy ${hierarchy.uniqueName}`;
        mistakes.push({
          line: grant.line,
          message: `The role "${name}" sees no figure of the cube "${cube.name}": its grant of ${grant.hierarchy} shows no ${what}.`,
        });
      }
    }
  }
  return mistakes;
}
