/** A semantic model as the server describes it, and the reading of that description. */
import {
  isObject,
  type JsonObject,
  readBoolean,
  readList,
  readObject,
  readOption,
  readText,
  UnexpectedAnswerError,
} from '../api-client/json.ts';

interface Described {
  readonly name: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly synonyms: readonly string[];
  readonly instructions: string | undefined;
}

interface Shown extends Described {
  readonly expression: string;
  readonly format: string | undefined;
  readonly unit: string | undefined;
  readonly hidden: boolean;
  /** The only roles that may see it; `undefined` for all. */
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
}

export interface FieldElement extends Shown {
  readonly personal: boolean;
  readonly isTime: boolean;
  /** The warehouse's name of its type; `undefined` where no query can use the field. */
  readonly type: string | undefined;
  readonly valueType: string | undefined;
}

export interface DatasetElement extends Described {
  readonly source: string;
  /** The columns of its table; `undefined` for a query. */
  readonly columns: readonly string[] | undefined;
  readonly primaryKey: readonly string[];
  readonly personal: boolean;
  readonly mainDate: string | undefined;
  readonly rowPredicates: Readonly<Record<string, string>>;
  readonly fields: readonly FieldElement[];
}

export interface MetricElement extends Shown {
  readonly filter: string | undefined;
  /** False where no query can use the metric. */
  readonly isServed: boolean;
}

export interface RelationshipElement {
  readonly name: string;
  readonly label: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
}

export interface ModelProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number | undefined;
}

/** An aggregate function of formulas. */
export interface FormulaFunction {
  readonly written: string;
  readonly says: string;
}

export interface ModelDocument {
  readonly id: string;
  readonly connection: string;
  readonly model: string;
  readonly description: string | undefined;
  readonly synonyms: readonly string[];
  readonly instructions: string | undefined;
  readonly status: string;
  readonly version: string;
  readonly isEditable: boolean;
  /** The reason why it cannot be edited. */
  readonly whyNot: string | undefined;
  readonly text: string;
  readonly datasets: readonly DatasetElement[];
  readonly metrics: readonly MetricElement[];
  readonly relationships: readonly RelationshipElement[];
  readonly problems: readonly ModelProblem[];
  readonly functions: readonly FormulaFunction[];
}

export function parseDocument(json: unknown): ModelDocument {
  const record = readObject(json, 'the model');
  return {
    id: readText(record, 'id'),
    connection: readText(record, 'connection'),
    model: optionalText(record, 'model') ?? readText(record, 'id'),
    description: optionalText(record, 'description'),
    synonyms: texts(record, 'synonyms'),
    instructions: optionalText(record, 'instructions'),
    status: readText(record, 'status'),
    version: readText(record, 'version'),
    isEditable: readBoolean(record, 'isEditable'),
    whyNot: optionalText(record, 'whyNot'),
    text: readText(record, 'text'),
    datasets: readList(record.datasets, 'datasets', parseDataset),
    metrics: readList(record.metrics, 'metrics', parseMetric),
    relationships: readList(record.relationships, 'relationships', parseRelationship),
    problems: readList(record.problems, 'problems', parseProblem),
    functions: readList(record.functions, 'functions', (item) => {
      const each = readObject(item, 'a function');
      return { written: readText(each, 'written'), says: readText(each, 'says') };
    }),
  };
}

export function parseProblem(item: unknown): ModelProblem {
  const record = readObject(item, 'a problem');
  return {
    severity: readOption(record, 'severity', ['error', 'warning']),
    message: readText(record, 'message'),
    line: typeof record.line === 'number' ? record.line : undefined,
  };
}

function parseDataset(item: unknown): DatasetElement {
  const record = readObject(item, 'a dataset');
  return {
    ...described(record),
    source: readText(record, 'source'),
    columns: record.columns === undefined ? undefined : texts(record, 'columns'),
    primaryKey: texts(record, 'primaryKey'),
    personal: readBoolean(record, 'personal'),
    mainDate: optionalText(record, 'mainDate'),
    rowPredicates: textMap(record.rowPredicates),
    fields: readList(record.fields, 'fields', parseField),
  };
}

function parseField(item: unknown): FieldElement {
  const record = readObject(item, 'a field');
  return {
    ...shown(record),
    personal: readBoolean(record, 'personal'),
    isTime: readBoolean(record, 'isTime'),
    type: optionalText(record, 'type'),
    valueType: optionalText(record, 'valueType'),
  };
}

function parseMetric(item: unknown): MetricElement {
  const record = readObject(item, 'a metric');
  return { ...shown(record), filter: optionalText(record, 'filter'), isServed: readBoolean(record, 'isServed') };
}

function parseRelationship(item: unknown): RelationshipElement {
  const record = readObject(item, 'a relationship');
  return {
    name: readText(record, 'name'),
    label: optionalText(record, 'label'),
    from: readText(record, 'from'),
    to: readText(record, 'to'),
    fromColumns: texts(record, 'fromColumns'),
    toColumns: texts(record, 'toColumns'),
  };
}

function described(record: JsonObject): Described {
  return {
    name: readText(record, 'name'),
    label: optionalText(record, 'label'),
    description: optionalText(record, 'description'),
    synonyms: texts(record, 'synonyms'),
    instructions: optionalText(record, 'instructions'),
  };
}

function shown(record: JsonObject): Shown {
  return {
    ...described(record),
    expression: readText(record, 'expression'),
    format: optionalText(record, 'format'),
    unit: optionalText(record, 'unit'),
    hidden: readBoolean(record, 'hidden'),
    allow: record.allow === undefined ? undefined : texts(record, 'allow'),
    deny: texts(record, 'deny'),
  };
}

export function optionalText(record: JsonObject, name: string): string | undefined {
  const value = record[name];
  return value === undefined || value === null ? undefined : readText(record, name);
}

export function texts(record: JsonObject, name: string): readonly string[] {
  return readList(record[name], name, (each) => {
    if (typeof each !== 'string') throw new UnexpectedAnswerError(`${name} has something that is not a text`);
    return each;
  });
}

function textMap(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
}
