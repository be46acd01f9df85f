/** Finds the SQL of a document and has it parsed as one task, so that it can be done in another thread and kept. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../router/errors.ts';
import { readExtensions } from './extensions.ts';
import { parserDialect } from './parse-sql-expression.ts';
import type { ExpressionElement, ModelElement } from './read-document.ts';
import { readSource } from './source.ts';
import type { ExpressionText, ParseOutcome, SqlResult, SqlTask } from './sql-task.ts';

/** The parts of a dialect that decide how a document is read. */
export type Engine = { readonly [Name in keyof Pick<Dialect, 'name' | 'parserName'>]: string };

/** The parsed SQL of a document. */
export class SqlTexts {
  /** Set where the document cannot be read in time. */
  readonly problem: string | undefined;
  readonly #engine: Engine;
  readonly #outcomes: ReadonlyMap<string, ParseOutcome>;
  readonly #queries: ReadonlyMap<string, boolean>;

  constructor(engine: Engine, task: SqlTask, result: SqlResult) {
    this.#engine = engine;
    this.problem = result.problem;
    this.#outcomes = paired(task.expressions.map(textKey), result.expressions);
    this.#queries = paired(
      task.sources.map(({ text }) => text),
      result.sources,
    );
  }

  static async read(
    model: ModelElement,
    engine: Engine,
    readSql: (task: SqlTask) => Promise<SqlResult>,
  ): Promise<SqlTexts> {
    const task = sqlTaskOf(model, engine);
    return new SqlTexts(engine, task, await readSql(task));
  }

  expression(chosen: ChosenText): ParseOutcome {
    return this.#outcome(expressionText(chosen, this.#engine));
  }

  filter(text: string): ParseOutcome {
    return this.#outcome(filterText(text, this.#engine));
  }

  rowPredicate(text: string): ParseOutcome {
    return this.#outcome(rowPredicateText(text, this.#engine));
  }

  isQuery(text: string): boolean {
    return this.#queries.get(text) ?? missing();
  }

  #outcome(text: ExpressionText): ParseOutcome {
    return this.#outcomes.get(textKey(text)) ?? missing();
  }
}

/** Lists the SQL of a document, each text once. */
function sqlTaskOf(model: ModelElement, engine: Engine): SqlTask {
  const expressions = new Map<string, ExpressionText>();
  const sources = new Set<string>();
  const add = (text: ExpressionText): void => {
    expressions.set(textKey(text), text);
  };
  const addExpression = ({ dialects }: ExpressionElement): void => {
    const chosen = chooseDialect(dialects, engine);
    if (chosen !== undefined) add(expressionText(chosen, engine));
  };
  for (const dataset of model.datasets) {
    readSource(dataset.source, (query) => {
      sources.add(query);
      return true;
    });
    for (const field of dataset.fields ?? []) addExpression(field.expression);
    const { rowPredicates } = readExtensions(dataset, dataset.custom_extensions);
    for (const text of Object.values(rowPredicates)) add(rowPredicateText(text, engine));
  }
  for (const metric of model.metrics ?? []) {
    addExpression(metric.expression);
    const { filter } = readExtensions(metric, metric.custom_extensions).kinds;
    if (filter !== undefined) add(filterText(filter, engine));
  }
  return {
    expressions: [...expressions.values()],
    sources: [...sources].map((text) => ({ text, dialect: engine.parserName })),
  };
}

function expressionText({ expression, parser }: ChosenText, { parserName }: Engine): ExpressionText {
  return { text: expression, from: parser, to: parserName };
}

/** Conditions are standard SQL, so that one text serves all dialects of an expression. */
function filterText(text: string, { parserName }: Engine): ExpressionText {
  return { text, from: 'ANSI_SQL', to: parserName };
}

function rowPredicateText(text: string, { parserName }: Engine): ExpressionText {
  return { text, from: parserName, to: parserName };
}

function textKey({ text, from, to }: ExpressionText): string {
  return JSON.stringify([text, from, to]);
}

function paired<Value>(keys: readonly string[], values: readonly Value[]): ReadonlyMap<string, Value> {
  return new Map(keys.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]] as const])));
}

function missing(): never {
  throw new InternalError('A text of a document was not parsed.');
}

export type ChosenText = NonNullable<ReturnType<typeof chooseDialect>>;

/**
 * Chooses the text of an expression that is read: in the warehouse's own dialect, else in ANSI SQL, else in any dialect that
 * the parser can translate. Returns `undefined` where there is none.
 */
export function chooseDialect(dialects: ExpressionElement['dialects'], engine: Engine) {
  const warehouseParsers = [engine.name, engine.parserName].map((name) => parserDialect(name) ?? name);
  const readable = dialects.flatMap((entry, index) => {
    const parser = parserDialect(entry.dialect);
    return parser === undefined ? [] : [{ ...entry, parser, index }];
  });
  return (
    readable.find(({ parser }) => warehouseParsers.includes(parser)) ??
    readable.find(({ parser }) => parser === 'generic') ??
    readable[0]
  );
}
