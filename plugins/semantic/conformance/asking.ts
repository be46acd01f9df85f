/** Turns a question of the suite into a request, and answers of any source into comparable rows. */
import type { AnswerRecord } from '../../../router/capabilities/query-source.ts';
import type { ColumnarResult, Scalar } from '../../../router/capabilities/warehouse.ts';
import type { Question } from './question.ts';

const field = (path: string) => {
  const [dataset = '', name = '', grain] = path.split('.');
  return { dataset, field: name, ...(grain === undefined ? {} : { grain }) };
};
const words = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');

export function requestOf({ rows, columns, values, where = [], sort, limit }: Question) {
  return {
    rows: words(rows).map(field),
    columns: words(columns).map(field),
    values: words(values).map((word) => {
      const [metric, aggregation] = word.split(':');
      return { metric, ...(aggregation === undefined ? {} : { aggregation }) };
    }),
    filters: where.map(([path, op, ...given]) => {
      const isList = op === 'IN' || op === 'BETWEEN';
      return { ...field(path), op, ...(isList ? { values: given } : given.length === 0 ? {} : { value: given[0] }) };
    }),
    sorts: words(sort).map((word) => {
      const name = word.replace(/^-/, '');
      return { [name.includes('.') ? 'field' : 'metric']: name, direction: word.startsWith('-') ? 'DESC' : 'ASC' };
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Returns a comparable cell. Doubles of different engines differ in their last bits. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' ? Number(value.toPrecision(12)) + 0 : value;
}

export function answerRows({ rowCount, values }: ColumnarResult): readonly (readonly unknown[])[] {
  return Array.from({ length: rowCount }, (_, row) => values.map((column: readonly Scalar[]) => plain(column[row])));
}

export function cellsOf(records: readonly AnswerRecord[], keys: readonly string[]): readonly (readonly unknown[])[] {
  return records.map((record) =>
    keys.map((key) => {
      const cell = record[key];
      return plain(typeof cell === 'object' && cell !== null ? cell.value : cell);
    }),
  );
}
