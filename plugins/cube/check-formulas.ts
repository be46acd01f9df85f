/** What a schema says in MDX: whether it can be parsed, and whether it stands for something. */
import type { DatasourceProblem } from '../../router/capabilities/datasources.ts';
import { ServiceError } from '../../router/errors.ts';
import { type MdxCatalog, MdxError } from './mdx/index.ts';
import { parseExpressionText } from './mdx/syntax/parse.ts';
import type * as model from './schema/model.ts';

interface Formula {
  readonly of: string;
  readonly mdx: string;
  /** Line of the schema's text at which the formula begins. */
  readonly line: number;
}

/** How long looking up what formulas and grants name may take. */
const CHECK_MS = 10_000;

/**
 * Resolves the formulas of a schema and the members that its roles grant. What stands for nothing is a warning: the
 * cubes serve what is right. Without data only what no data could make right is told.
 */
export async function resolutionProblems(mdx: MdxCatalog, hasData: boolean): Promise<readonly DatasourceProblem[]> {
  try {
    const mistakes = await mdx.check({ hasData, timeMs: CHECK_MS });
    const problems = new Map<string, DatasourceProblem>();
    for (const { line, message } of mistakes) {
      // A virtual cube repeats the formulas of its base cubes, where it has a name of its own.
      const key = `${line} ${message.split(':')[0]}`;
      if (!problems.has(key)) problems.set(key, { severity: 'warning', line, message });
    }
    return [...problems.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `Formulas and grants of members were not all looked up: ${error.message}`;
    return [{ severity: 'warning', message }];
  }
}

/** Tries every MDX text of a schema with the parser: what is no MDX is an error with its line. */
export function checkFormulas(schema: model.Schema): readonly DatasourceProblem[] {
  const problems = new Map<string, DatasourceProblem>();
  for (const formula of schema.cubes.flatMap(formulasOf)) {
    const problem = problemOf(formula);
    // A virtual cube repeats the formulas of its base cubes.
    if (problem !== undefined) problems.set(`${problem.line} ${problem.message}`, problem);
  }
  return [...problems.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

function formulasOf({ calculatedMembers, namedSets, measures }: model.Cube): readonly Formula[] {
  const expressions = (of: string, properties: readonly model.CalculatedProperty[]) =>
    properties.flatMap(({ name, content, line }) =>
      content.kind === 'expression' ? [{ of: `the property ${name} of ${of}`, mdx: content.mdx, line }] : [],
    );
  return [
    ...calculatedMembers.flatMap(({ name, formula, formulaLine, properties }) => [
      { of: `the calculated member ${name}`, mdx: formula, line: formulaLine },
      ...expressions(`the calculated member ${name}`, properties),
    ]),
    ...namedSets.map(({ name, formula, formulaLine }) => ({
      of: `the named set ${name}`,
      mdx: formula,
      line: formulaLine,
    })),
    ...measures.flatMap(({ name, properties }) => expressions(`the measure ${name}`, properties)),
  ];
}

function problemOf({ of, mdx, line }: Formula): DatasourceProblem | undefined {
  try {
    parseExpressionText(mdx);
    return undefined;
  } catch (error) {
    if (!(error instanceof MdxError)) throw error;
    const at = error.position?.line ?? 1;
    const message = error.message.replace(/^Syntax error at line \d+, column (\d+), /, 'column $1, ');
    return { severity: 'error', line: line + at - 1, message: `The formula of ${of} is no MDX: ${message}` };
  }
}
