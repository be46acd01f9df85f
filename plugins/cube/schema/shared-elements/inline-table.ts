import { elementsOf, firstOf, readElementText, type XmlElement } from '../../../xml/index.ts';
import type { DataType, InlineRelation, InlineType } from '../model.ts';
import { choice, lineOf, required } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { DATA_TYPES } from './type-spellings.ts';

/** Reads rows in the schema. An omitted value is null. */
export function inlineTable(element: XmlElement, problems: Problems): InlineRelation {
  const definitions = firstOf(element, 'ColumnDefs');
  const columns = (definitions === undefined ? [] : elementsOf(definitions, 'ColumnDef')).map((definition) => ({
    definition,
    name: required(definition, 'name', problems),
    type: choice(definition, 'type', DATA_TYPES, 'String', problems),
  }));
  if (columns.length === 0) problems.error(element, 'An <InlineTable> needs <ColumnDefs> with a <ColumnDef>.');
  const list = firstOf(element, 'Rows');
  const rows = (list === undefined ? [] : elementsOf(list, 'Row')).map((row) => valuesOf(row, columns, problems));
  const read = columns.map(({ definition, name, type }) =>
    columnOf(
      rows.map((row) => row.get(name)),
      type,
      (message) => problems.warn(lineOf(definition, 'type'), `The column "${name}" ${message}`),
    ),
  );
  return {
    kind: 'inline',
    alias: required(element, 'alias', problems),
    columns: columns.map(({ name }, index) => ({ name, type: read[index]?.type ?? 'text' })),
    rows: rows.map((_, row) => read.map(({ values }) => values[row] ?? null)),
    line: element.line,
  };
}

function valuesOf(
  row: XmlElement,
  columns: readonly { readonly name: string }[],
  problems: Problems,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const names = columns.map(({ name }) => name);
  for (const value of elementsOf(row, 'Value')) {
    const column = required(value, 'column', problems);
    if (!names.includes(column))
      problems.error(value, `The inline table has no column "${column}".${suggestion(column, names)}`);
    values.set(column, readElementText(value).text.trim());
  }
  return values;
}

interface Kind {
  readonly type: InlineType;
  /** Returns the value in the format of the type; `undefined` if it does not have this type. */
  readonly read: (value: string) => string | undefined;
}

const TIME_OF_DAY = /^\d{2}:\d{2}:\d{2}(\.\d{1,6})?$/;

function isInstant(date: string, time: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !TIME_OF_DAY.test(time)) return false;
  const second = `${date}T${time.slice(0, 8)}`;
  const instant = new Date(`${second}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(second);
}

const INTEGER: Kind = { type: 'integer', read: (value) => (isInteger64(value) ? String(BigInt(value)) : undefined) };
const FLOAT: Kind = {
  type: 'float',
  read: (value) =>
    /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(value) && Number.isFinite(Number(value))
      ? String(Number(value))
      : undefined,
};
const TEXT: Kind = { type: 'text', read: (value) => value };
/** `X'4546'` */
const BINARY: Kind = {
  type: 'binary',
  read: (value) => {
    const digits = /^[xX]'((?:[0-9a-fA-F]{2})*)'$/.exec(value)?.[1];
    return digits === undefined ? undefined : Buffer.from(digits, 'hex').toString('base64');
  },
};
const BOOLEAN: Kind = {
  type: 'boolean',
  read: (value) => (/^(true|1)$/i.test(value) ? 'true' : /^(false|0)$/i.test(value) ? 'false' : undefined),
};
const DATE: Kind = { type: 'date', read: (value) => (isInstant(value, '00:00:00') ? value : undefined) };
const TIME: Kind = { type: 'time', read: (value) => (isInstant('2000-01-01', value) ? value : undefined) };
const TIMESTAMP: Kind = {
  type: 'timestamp',
  read: (value) => {
    const [date = '', time = '00:00:00'] = value.split(/[ T]/, 2);
    return isInstant(date, time) ? `${date} ${time}` : undefined;
  },
};

/**
 * The types that the values of a column may have, best first. A number is whole (64 bits) if all values are. Schemas
 * declare binary columns as numbers, because their values were once copied into SQL unchanged.
 */
const KINDS: Readonly<Record<DataType, readonly Kind[]>> = {
  String: [TEXT],
  Numeric: [INTEGER, FLOAT, BINARY],
  Integer: [INTEGER, FLOAT, BINARY],
  Boolean: [BOOLEAN],
  Date: [DATE, TIMESTAMP],
  Time: [TIME],
  Timestamp: [TIMESTAMP],
};

function columnOf(
  values: readonly (string | undefined)[],
  type: DataType,
  warn: (message: string) => void,
): { readonly type: InlineType; readonly values: readonly (string | null)[] } {
  // A blank value is a text, or else null.
  const written = values.map((value) => (type !== 'String' && value === '' ? undefined : value));
  for (const kind of KINDS[type]) {
    const read = written.map((value) => (value === undefined ? null : kind.read(value)));
    if (!read.includes(undefined)) return { type: kind.type, values: read.map((value) => value ?? null) };
  }
  const strange = written.find(
    (value) => value !== undefined && KINDS[type].every(({ read }) => read(value) === undefined),
  );
  warn(
    strange === undefined
      ? `is of type ${type}, but its values have several types, so it is read as text.`
      : `is of type ${type}, but has the value "${strange}", so it is read as text.`,
  );
  return { type: 'text', values: written.map((value) => value ?? null) };
}

function isInteger64(value: string): boolean {
  if (!/^-?\d{1,19}$/.test(value)) return false;
  const whole = BigInt(value);
  return BigInt.asIntN(64, whole) === whole;
}
