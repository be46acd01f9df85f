/**
 * Parses the text of an expression into a `Parsed` template in the warehouse's dialect. Only this file of the plugin calls
 * the SQL parser library, which the thread must have loaded before (`loadSqlLibrary`).
 *
 * The library's tree is JSON: each node is an object of one key, its kind (`{"column": {…}}`, `{"sum": {…}}`). Names,
 * divisions and aggregate calls are replaced by slots. The rest is transpiled as text, split at the slots, and put together
 * again. So the library does not translate our identifiers, and our rules do not read its text.
 */

import type { Dialect as ParserDialect } from '@polyglot-sql/sdk';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../../router/record.ts';
import { sqlLibrary } from '../../query-surface/index.ts';
import { AGGREGATIONS, type Aggregation, isOverriding } from './aggregations.ts';
import { aggregationOf, REFUSED, UNIT, UNIT_FIRST } from './parser-node-kinds.ts';
import { ExpressionError, isPresent, type Json, kindOf, numberOf } from './parser-nodes.ts';
import { percentileOf, type RequestedPercentile } from './percentiles.ts';
import type { NameLeaf, Parsed, TemplatePart } from './template.ts';

export { ExpressionError };

/** The tree of a parsed expression. */
export interface ParsedExpression {
  readonly template: Parsed;
  /** True where the value can only be 1, 0 or null, so that its sum counts rows. */
  readonly indicator: boolean;
  /** True where a divisor may be zero and the text does not guard it. This product guards every division itself. */
  readonly unguarded: boolean;
}

/**
 * Returns the parser library's dialect for a name in a document or a `Dialect.parserName`; `undefined` where it has none.
 */
export function parserDialect(name: string): `${ParserDialect}` | undefined {
  const folded = name.toLowerCase();
  const dialect = ALIASES[folded] ?? folded;
  return BY_NAME.get(dialect);
}

/** The dialects of the library, which need not be loaded to know them. A test compares them. */
export const PARSER_DIALECTS: readonly `${ParserDialect}`[] = [
  'generic',
  'postgresql',
  'mysql',
  'bigquery',
  'snowflake',
  'duckdb',
  'sqlite',
  'hive',
  'spark',
  'trino',
  'presto',
  'redshift',
  'tsql',
  'oracle',
  'clickhouse',
  'databricks',
  'athena',
  'teradata',
  'doris',
  'starrocks',
  'materialize',
  'risingwave',
  'singlestore',
  'cockroachdb',
  'tidb',
  'druid',
  'solr',
  'tableau',
  'dune',
  'fabric',
  'drill',
  'dremio',
  'exasol',
  'datafusion',
];

const BY_NAME: ReadonlyMap<string, `${ParserDialect}`> = new Map(PARSER_DIALECTS.map((each) => [each, each]));

const ALIASES: Readonly<Record<string, string>> = {
  ansi_sql: 'generic',
  ossie_sql_2026: 'generic',
  postgres: 'postgresql',
  mariadb: 'mysql',
};

/**
 * Parses one scalar or aggregate expression written in `from` and translates it into `to`.
 *
 * @throws ExpressionError
 */
export function parseExpression(text: string, from: string, to: string): ParsedExpression {
  const read = requireDialect(from);
  const node = singleExpression(text, read);
  const translation = new Translation(read, requireDialect(to), slotPrefix(text));
  return { template: translation.template(node), indicator: isIndicator(node), unguarded: hasUnguardedDivision(node) };
}

/** Returns whether the text is exactly one query that reads. */
export function isQuery(text: string, dialect: string): boolean {
  const result = sqlLibrary().parse(text, requireDialect(dialect));
  if (!result.success) return false;
  const statements: unknown = result.ast;
  if (!Array.isArray(statements) || statements.length !== 1) return false;
  const kind = kindOf(statements[0]);
  return kind !== undefined && ['select', 'union', 'intersect', 'except', 'values'].includes(kind);
}

function requireDialect(name: string): ParserDialect {
  const requested = parserDialect(name);
  const dialect = Object.values(sqlLibrary().Dialect).find((each) => each === requested);
  if (dialect === undefined) throw new ExpressionError(`is in the dialect ${name}, which is not known here`);
  return dialect;
}

function singleExpression(text: string, dialect: ParserDialect): Json {
  if (text.trim() === '') throw new ExpressionError('is empty');
  const result = sqlLibrary().parse(`SELECT ${text}`, dialect);
  if (!result.success) {
    const reason = (result.error ?? 'it does not parse').replace(/^Parse error at line \d+, column \d+: /, '');
    throw new ExpressionError(`is no SQL expression: ${reason}`);
  }
  const statements: unknown = result.ast;
  const [statement, more] = Array.isArray(statements) ? statements : [];
  const select = isRecord(statement) ? statement.select : undefined;
  const clauses = isRecord(select) ? Object.entries(select).filter(([, value]) => isPresent(value)) : [];
  const expressions = isRecord(select) ? select.expressions : undefined;
  const plain = clauses.every(([key]) => key === 'expressions' || key.endsWith('comments'));
  if (more !== undefined || !plain || !Array.isArray(expressions) || expressions.length !== 1) {
    throw new ExpressionError('is not one single expression');
  }
  const node: unknown = expressions[0];
  if (!isRecord(node)) throw new ExpressionError('is not one single expression');
  return node;
}

class Translation {
  readonly #read: ParserDialect;
  readonly #write: ParserDialect;
  readonly #prefix: string;
  readonly #slots: TemplatePart<NameLeaf>[] = [];
  readonly #partOf = new Map<unknown, TemplatePart<NameLeaf>>();

  constructor(read: ParserDialect, write: ParserDialect, prefix: string) {
    this.#read = read;
    this.#write = write;
    this.#prefix = prefix;
  }

  template(node: Json): Parsed {
    return this.#written(this.#cut(node, false));
  }

  /** Writes a cut node as a template. A node that is only a slot needs no translation. */
  #written(node: unknown): Parsed {
    const part = this.#partOf.get(node);
    return part === undefined ? this.#fromText(this.#toText(node)) : [part];
  }

  /** Replaces names, divisions and aggregate calls in a node by slots. */
  #cut(node: unknown, insideAggregate: boolean): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#cut(item, insideAggregate));
    if (!isRecord(node)) return node;
    const kind = kindOf(node);
    const content = kind === undefined ? undefined : node[kind];
    if (kind === undefined || !isRecord(content)) return this.#cutMembers(node, insideAggregate);

    const refusal = REFUSED[kind];
    if (refusal !== undefined) throw new ExpressionError(refusal);
    if (kind === 'in' && isPresent(content.query)) throw new ExpressionError(REFUSED.select ?? '');
    if (kind === 'column') return this.#slot(leafOf(content));
    if (kind === 'div') {
      const left = this.#side(content.left, insideAggregate);
      const right = this.#side(withoutNullIfZero(content.right), insideAggregate);
      return this.#slot({ kind: 'division', left, right });
    }
    const percentile = percentileOf(node);
    if (percentile !== undefined) {
      if (insideAggregate) throw new ExpressionError('has an aggregate inside an aggregate');
      return this.#slot(this.#percentile(percentile));
    }
    const aggregation = aggregationOf(kind, content.name);
    if (aggregation !== undefined) {
      if (insideAggregate) throw new ExpressionError('has an aggregate inside an aggregate');
      return this.#slot(this.#aggregate(kind, aggregation, content));
    }
    if (kind === 'function') return { function: this.#cutFunction(content, insideAggregate) };
    return { [kind]: this.#cutMembers(content, insideAggregate) };
  }

  #cutMembers(node: Json, insideAggregate: boolean): Json {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.#cut(value, insideAggregate)]));
  }

  #cutFunction(content: Json, insideAggregate: boolean): Json {
    const args = content.args;
    if (!Array.isArray(args) || !UNIT_FIRST.test(String(content.name))) {
      return this.#cutMembers(content, insideAggregate);
    }
    const [unit, ...others]: readonly unknown[] = args;
    const kept = isUnit(unit) ? unit : this.#cut(unit, insideAggregate);
    return { ...content, args: [kept, ...others.map((item) => this.#cut(item, insideAggregate))] };
  }

  #side(node: unknown, insideAggregate: boolean): Parsed {
    return this.#written(this.#cut(withoutParentheses(node), insideAggregate));
  }

  #aggregate(kind: string, named: Aggregation, content: Json): TemplatePart<NameLeaf> {
    const distinct = content.distinct === true;
    const aggregation = distinct && named === 'count' ? 'count_distinct' : named;
    const argument = content.this;
    // WITHIN GROUP wraps its call: the pair is one aggregate.
    const members =
      kind === 'within_group'
        ? { ...content, this: this.#wrapped(content.this) }
        : content.star === true
          ? content
          : this.#cutMembers(content, true);
    const cut = kind === 'within_group' ? this.#cutOrdering(members) : members;
    const isSimple = !isPresent(content.filter) && isRecord(argument);
    const isPlain = kind === named && isOverriding(named) && !distinct && isSimple;
    const counted = kind === 'count' && distinct && isSimple && kindOf(argument) !== 'tuple';
    return {
      kind: 'aggregate',
      aggregation,
      call: this.#written({ [kind]: cut }),
      argument: isPlain ? this.#written(this.#cut(argument, true)) : undefined,
      distinct: counted ? this.#written(this.#cut(argument, true)) : undefined,
      counts: AGGREGATIONS[aggregation].result === 'count' || (kind === 'sum' && isIndicator(argument)),
    };
  }

  /** Writes a percentile. Rows that its FILTER removes become null, which is not a value. */
  #percentile({ aggregation, ordered, filter, percentile }: RequestedPercentile): TemplatePart<NameLeaf> {
    const values = this.#written(this.#cut(ordered, true));
    const call: Parsed = !isPresent(filter)
      ? values
      : ['CASE WHEN ', ...this.#written(this.#cut(filter, true)), ' THEN ', ...values, ' END'];
    return { kind: 'aggregate', aggregation, call, argument: undefined, counts: false, percentile };
  }

  #wrapped(call: unknown): unknown {
    const kind = isRecord(call) ? kindOf(call) : undefined;
    if (!isRecord(call) || kind === undefined) return call;
    const content = call[kind];
    return { [kind]: isRecord(content) ? this.#cutMembers(content, true) : content };
  }

  #cutOrdering(content: Json): Json {
    return { ...content, order_by: this.#cut(content.order_by, true) };
  }

  #slot(part: TemplatePart<NameLeaf>): Json {
    this.#slots.push(part);
    const name = { name: `${this.#prefix}${this.#slots.length - 1}_`, quoted: true, trailing_comments: [] };
    const slot = { column: { name, table: null, join_mark: false, trailing_comments: [] } };
    this.#partOf.set(slot, part);
    return slot;
  }

  /** Writes a node in the warehouse's SQL. Most expressions differ only in names, which are slots, so each form is written once. */
  #toText(node: unknown): string {
    const form = `${this.#read} ${this.#write} ${JSON.stringify(node)}`;
    const known = WRITTEN.get(form);
    if (known !== undefined) return known;
    const sql = this.#translated(node);
    WRITTEN.set(form, sql);
    return sql;
  }

  #translated(node: unknown): string {
    const { generate, transpile } = sqlLibrary();
    const generated = generate([{ select: { ...frameOf(this.#read), expressions: [node] } }], this.#read);
    const text = generated.sql?.[0];
    if (!generated.success || text === undefined) throw new ExpressionError('cannot be written as SQL again');
    const translated = transpile(text, this.#read, this.#write);
    const sql = translated.sql?.[0];
    if (!translated.success || sql === undefined || !sql.startsWith('SELECT ')) {
      throw new ExpressionError(`cannot be translated into the warehouse's SQL`);
    }
    return sql.slice('SELECT '.length);
  }

  #fromText(sql: string): Parsed {
    const pieces = sql.split(new RegExp(`["\`\\[]?${this.#prefix}(\\d+)_["\`\\]]?`));
    return pieces.flatMap((piece, index): Parsed => {
      if (index % 2 === 0) return piece === '' ? [] : [piece];
      const part = this.#slots[Number(piece)];
      if (part === undefined) throw new ExpressionError('cannot be written as SQL again');
      return [part];
    });
  }
}

/** The SQL of nodes by their form: dialects and tree. */
const WRITTEN = new LRUCache<string, string>({
  max: 5_000,
  maxSize: 8_000_000,
  sizeCalculation: (sql, form) => form.length + sql.length,
});

/** The members of a SELECT of one expression, by dialect. */
const FRAMES = new Map<ParserDialect, Json>();

function frameOf(dialect: ParserDialect): Json {
  const known = FRAMES.get(dialect);
  if (known !== undefined) return known;
  const statements: unknown = sqlLibrary().parse('SELECT 1', dialect).ast;
  const [statement] = Array.isArray(statements) ? statements : [];
  const frame = isRecord(statement) && isRecord(statement.select) ? statement.select : {};
  FRAMES.set(dialect, frame);
  return frame;
}

/** Finds a prefix that the text does not contain, so that only slots begin with it. */
function slotPrefix(text: string): string {
  let prefix = 'slot_';
  while (text.includes(prefix)) prefix = `_${prefix}`;
  return prefix;
}

function leafOf(column: Json): NameLeaf {
  const name = identifierOf(column.name);
  if (name === undefined) throw new ExpressionError('holds a name that cannot be read');
  return { kind: 'name', qualifier: identifierOf(column.table), name };
}

function identifierOf(node: unknown): string | undefined {
  return isRecord(node) && typeof node.name === 'string' ? node.name : undefined;
}

function isUnit(node: unknown): boolean {
  const column = isRecord(node) ? node.column : undefined;
  if (!isRecord(column) || isPresent(column.table)) return false;
  const name = identifierOf(column.name);
  return name !== undefined && UNIT.test(name);
}

function withoutParentheses(node: unknown): unknown {
  const paren = isRecord(node) ? node.paren : undefined;
  return isRecord(paren) ? withoutParentheses(paren.this) : node;
}

/** Removes a guard against zero that the document writes itself: every division is guarded when it is rendered. */
function withoutNullIfZero(node: unknown): unknown {
  const bare = withoutParentheses(node);
  const call = isRecord(bare) ? bare.function : undefined;
  if (!isRecord(call) || !Array.isArray(call.args) || !/^nullif$/i.test(String(call.name))) return bare;
  const [guarded, unwanted]: readonly unknown[] = call.args;
  return numberOf(unwanted) === 0 ? guarded : bare;
}

/**
 * Returns whether an expression may divide by zero. Divisors that are numbers, or that test for zero themselves, are
 * guarded.
 */
function hasUnguardedDivision(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasUnguardedDivision);
  if (!isRecord(node)) return false;
  if (kindOf(node) === 'div' && isRecord(node.div)) {
    const { right } = node.div;
    const number = numberOf(withoutParentheses(right));
    if (!(number === undefined ? testsValue(right) : number !== 0)) return true;
  }
  return Object.values(node).some(hasUnguardedDivision);
}

/** Returns whether an expression contains NULLIF, GREATEST, CASE or the like. */
function testsValue(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(testsValue);
  if (!isRecord(node)) return false;
  const kind = kindOf(node) ?? '';
  const content = node[kind];
  const name = kind === 'function' && isRecord(content) ? String(content.name) : kind;
  return /^(nullif|null_if|greatest|case|if_func|iff)$/i.test(name) || Object.values(node).some(testsValue);
}

/** Returns whether a node is the number 1, or a choice between 1 and 0 such as `CASE WHEN … THEN 1 ELSE 0 END`. */
function isIndicator(node: unknown): boolean {
  const bare = withoutParentheses(node);
  if (!isRecord(bare)) return false;
  if (numberOf(bare) === 1) return true;
  const choice = bare.case;
  if (isRecord(choice) && Array.isArray(choice.whens)) {
    const results: unknown[] = choice.whens.map((when: unknown) => (Array.isArray(when) ? when[1] : undefined));
    return areIndicators(results, choice.else_);
  }
  const condition = bare.if_func;
  return isRecord(condition) && areIndicators([condition.true_value], condition.false_value);
}

function areIndicators(results: readonly unknown[], otherwise: unknown): boolean {
  const all = [...results, ...(isPresent(otherwise) ? [otherwise] : [])];
  const values = all.map((result) => (isRecord(result) && 'null' in result ? 0 : numberOf(result)));
  return values.includes(1) && values.every((value) => value === 0 || value === 1);
}
