/** Every MDX text of a schema, tried with the parser: what is no MDX is told with its line. */
import type { DatasourceProblem } from '../../router/capabilities/datasources.ts';
import { MdxError } from './mdx/errors.ts';
import { parseExpressionText } from './mdx/parser/parse.ts';
import type * as model from './schema/model.ts';

interface Formula {
  readonly of: string;
  readonly mdx: string;
  /** Line of the schema's text at which the formula begins. */
  readonly line: number;
}

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
