/** Reads a checked document into a draft: sources split, expressions parsed, extensions read. It needs no warehouse. */

import { cooperativeMap, cooperativeYield } from '../../../router/cooperative-yield.ts';
import { type AiFacts, type Extension, type ExtensionFacts, readAiContext, readExtensions } from './extensions.ts';
import type { ParsedExpression } from './parse-sql-expression.ts';
import { type Place, Problems } from './problems.ts';
import type {
  ExpressionElement,
  FieldElement,
  MetricElement,
  ModelDocument,
  RelationshipElement,
} from './read-document.ts';
import { refuseMisplacedRollups } from './rollups.ts';
import { readSource, type Source } from './source.ts';
import type { ParseOutcome, SqlResult, SqlTask } from './sql-task.ts';
import { chooseDialect, type Engine, SqlTexts } from './sql-texts.ts';
import { aggregatesOf } from './template.ts';
import { refuseMisplaced, refuseRepeated } from './viewer-filters.ts';

interface Drafted {
  readonly name: string;
  readonly place: Place;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly ai: AiFacts;
  readonly facts: ExtensionFacts;
}

export interface DraftField extends Drafted {
  readonly isTime: boolean;
  /** `undefined` where it cannot be used, which is then reported. */
  readonly expression: ParsedExpression | undefined;
}

export interface DraftDataset extends Drafted {
  readonly alias: string;
  readonly source: Source;
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly fields: readonly DraftField[];
  readonly rowPredicates: readonly (readonly [role: string, condition: ParsedExpression])[];
}

export interface DraftMetric extends Drafted {
  readonly text: string;
  readonly expression: ParsedExpression;
  /** The condition on its rows. */
  readonly filter: ParsedExpression | undefined;
}

export interface DraftRelationship extends RelationshipElement {
  readonly place: Place;
  readonly extensions: readonly Extension[];
}

export interface Draft extends Drafted {
  readonly datasets: readonly DraftDataset[];
  readonly metrics: readonly DraftMetric[];
  readonly relationships: readonly DraftRelationship[];
  readonly ontology: readonly unknown[];
}

/**
 * Reads a document. `readSql` parses all of its SQL as one task. Mistakes are added to `problems`; if one is an error, the
 * draft must not be used.
 */
export async function readDraft(
  document: ModelDocument,
  dialect: Engine,
  problems: Problems,
  readSql: (task: SqlTask) => Promise<SqlResult>,
): Promise<Draft> {
  const { model, place } = document;
  const texts = await SqlTexts.read(model, dialect, readSql);
  if (texts.problem !== undefined) problems.error(place, texts.problem);
  return new Reader(dialect, problems, texts).model(model, place, document.ontology);
}

export function problemsOf(document: ModelDocument): Problems {
  return new Problems(document.locator);
}

class Reader {
  readonly #dialect: Engine;
  readonly #problems: Problems;
  readonly #texts: SqlTexts;
  readonly #yieldTurn = cooperativeYield();

  constructor(dialect: Engine, problems: Problems, texts: SqlTexts) {
    this.#dialect = dialect;
    this.#problems = problems;
    this.#texts = texts;
  }

  async model(model: ModelDocument['model'], place: Place, ontology: readonly unknown[]): Promise<Draft> {
    const datasets: DraftDataset[] = [];
    for (const [index, dataset] of model.datasets.entries()) {
      datasets.push(await this.#dataset(dataset, [...place, 'datasets', index]));
    }
    const readMetric = (metric: MetricElement, index: number) => this.#metric(metric, [...place, 'metrics', index]);
    const metrics = (await cooperativeMap(model.metrics ?? [], this.#yieldTurn, readMetric, 1)).flat();
    const relationships = (model.relationships ?? []).map((relationship, index) => {
      const { display, extensions, viewers } = readExtensions(relationship, relationship.custom_extensions);
      refuseMisplaced(viewers, 'other', [...place, 'relationships', index], this.#problems);
      const label = display.caption ?? relationship.label;
      return { ...relationship, label, place: [...place, 'relationships', index], extensions };
    });
    this.#unique(datasets);
    this.#unique(metrics);
    this.#unique(relationships);
    const drafted = this.#drafted(model, place, 'model');
    refuseRepeated(drafted.facts.viewers, place, this.#problems);
    return {
      ...drafted,
      datasets: withAliases(datasets),
      metrics,
      relationships,
      ontology,
    };
  }

  async #dataset(element: ModelDocument['model']['datasets'][number], place: Place): Promise<DraftDataset> {
    const drafted = this.#drafted(element, place, 'dataset');
    const source = readSource(element.source, (query) => this.#texts.isQuery(query));
    if (source === undefined) {
      this.#problems.error([...place, 'source'], 'source is neither a table name (database.schema.table) nor a query.');
    }
    const readField = (field: FieldElement, index: number) =>
      this.#field(field, [...place, 'fields', index], drafted.facts.pii === true);
    await this.#yieldTurn();
    const fields = await cooperativeMap(element.fields ?? [], this.#yieldTurn, readField, 1);
    this.#unique(fields);
    return {
      ...drafted,
      alias: element.name,
      source: source ?? { kind: 'table', table: { name: element.source } },
      primaryKey: element.primary_key ?? [],
      uniqueKeys: element.unique_keys ?? [],
      fields,
      rowPredicates: Object.entries(drafted.facts.rowPredicates).flatMap(([role, condition]) =>
        this.#rowPredicate(role, condition, place),
      ),
    };
  }

  #field(element: FieldElement, place: Place, datasetIsPersonal: boolean): DraftField {
    const drafted = this.#drafted(element, place);
    const facts = datasetIsPersonal ? { ...drafted.facts, pii: drafted.facts.pii ?? true } : drafted.facts;
    const parsed = this.#expression(element.expression, place);
    const aggregates = parsed !== undefined && aggregatesOf(parsed.expression.template).length > 0;
    if (aggregates) this.#problems.warn(place, 'left out: a field may not aggregate; make it a metric.');
    return {
      ...drafted,
      facts,
      isTime: element.dimension?.is_time ?? false,
      expression: aggregates ? undefined : parsed?.expression,
    };
  }

  #metric(element: MetricElement, place: Place): readonly DraftMetric[] {
    const parsed = this.#expression(element.expression, place);
    const drafted = this.#drafted(element, place);
    const filter = this.#filter(drafted);
    return parsed === undefined || filter === 'left out' ? [] : [{ ...drafted, ...parsed, filter }];
  }

  /**
   * Parses the filter of a metric. Conditions are standard SQL, so that one text serves all dialects of an
   * expression.
   */
  #filter({ facts: { kinds }, place }: Drafted): ParsedExpression | undefined | 'left out' {
    if (kinds.filter === undefined) return undefined;
    const condition = this.#texts.filter(kinds.filter);
    const refused = refusalOf(condition, 'aggregates, and rows are filtered');
    if (refused === undefined && !('refused' in condition)) return condition;
    this.#problems.warn(place, `left out: its filter ${refused}.`);
    return 'left out';
  }

  #rowPredicate(role: string, text: string, place: Place): readonly (readonly [string, ParsedExpression])[] {
    const condition = this.#texts.rowPredicate(text);
    const refused = refusalOf(condition, 'aggregates');
    if (refused === undefined && !('refused' in condition)) return [[role, condition]];
    this.#problems.error(place, `the row predicate of ${role} ${refused}.`);
    return [];
  }

  #expression(
    { dialects }: ExpressionElement,
    place: Place,
  ): { readonly expression: ParsedExpression; readonly text: string } | undefined {
    const chosen = chooseDialect(dialects, this.#dialect);
    const at = [...place, 'expression'];
    if (chosen === undefined) {
      const dialectNames = dialects.map((entry) => entry.dialect).join(', ');
      this.#problems.warn(at, `left out: its expression is given in ${dialectNames} only; add one in ANSI_SQL.`);
      return undefined;
    }
    const expression = this.#texts.expression(chosen);
    if (!('refused' in expression)) return { expression, text: chosen.expression.trim() };
    this.#problems.warn(at, `left out: its expression ${expression.refused}.`);
    return undefined;
  }

  #drafted(
    element: ModelDocument['model'] | ModelDocument['model']['datasets'][number] | FieldElement | MetricElement,
    place: Place,
    kind: 'model' | 'dataset' | 'other' = 'other',
  ): Drafted {
    const facts = readExtensions(element, element.custom_extensions);
    // Data that hide or restrict must be read, so a mistake in them is an error and not left out.
    for (const mistake of facts.mistakes) this.#problems.error([...place, 'custom_extensions'], `${mistake}.`);
    refuseMisplaced(facts.viewers, kind, place, this.#problems);
    refuseMisplacedRollups(facts.rollups, kind, place, this.#problems);
    if (facts.certified.length > 0 && kind !== 'model')
      this.#problems.error([...place, 'custom_extensions'], 'certified answers belong to the model.');
    return {
      name: element.name,
      place,
      label: element.label,
      description: element.description,
      ai: readAiContext(element.ai_context),
      facts,
    };
  }

  #unique(elements: readonly { readonly name: string; readonly place: Place }[]): void {
    const seen = new Set<string>();
    for (const { name, place } of elements) {
      if (seen.has(name)) this.#problems.error([...place, 'name'], 'the name is used twice.');
      seen.add(name);
    }
  }
}

/** Returns why a condition cannot be used: the parser refuses it, or it aggregates. */
function refusalOf(condition: ParseOutcome, aggregates: string): string | undefined {
  if ('refused' in condition) return condition.refused;
  return aggregatesOf(condition.template).length > 0 ? aggregates : undefined;
}

/** Gives each dataset its alias: its name where no engine changes it or confuses it with another; else a number. */
function withAliases(datasets: readonly DraftDataset[]): readonly DraftDataset[] {
  const lower = datasets.map(({ name }) => name.toLowerCase());
  const seen = new Set<string>();
  const repeated = new Set(lower.filter((name) => seen.size === seen.add(name).size));
  const safe = (index: number) =>
    /^[a-z][a-z0-9_]{0,40}$/.test(lower[index] ?? '') &&
    !repeated.has(lower[index] ?? '') &&
    !/^(dataset_\d+|fact_rows|answer|service_role_\d+|service_period_\d+|period_days|period_names|service_(row_)?block_\d+|service_among_\d+_\d+|service_cells|service_rows|blocks|layers)$/.test(
      lower[index] ?? '',
    );
  return datasets.map((dataset, index) => ({ ...dataset, alias: safe(index) ? dataset.name : `dataset_${index}` }));
}
