/** Writes rows in the streaming format of Apache Arrow. Loaded with its library for the first answer in the format. */
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import type { AnswerRows, FileValue, RowColumn } from '../../router/capabilities/answer-rows.ts';
import { WarehouseError } from '../../router/errors.ts';

/** A column's type, and how its values are put together. */
interface ArrowColumn {
  readonly type: DataType;
  readonly dataOf: (values: readonly FileValue[]) => Data;
}

/** The most digits of a decimal of Arrow that all readers know. */
const DECIMAL_DIGITS = 38;

export async function* arrowStream({ columns, chunks }: AnswerRows): AsyncGenerator<Uint8Array, void, undefined> {
  const arrowColumns = columns.map(arrowColumn);
  const schema = new Schema(
    columns.map(
      ({ key, label }, place) =>
        new Field(key, arrowColumns[place]?.type ?? new Utf8(), true, new Map([['label', label]])),
    ),
  );
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  yield writer.take();
  for await (const { rowCount, values } of chunks) {
    const children = arrowColumns.map(({ dataOf }, place) => dataOf(values[place] ?? []));
    writer.write(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rowCount, nullCount: 0, children })),
    );
    yield writer.take();
  }
  writer.finish();
  yield writer.take();
}

/** A writer of the library that gives its bytes away after each batch, so that they do not wait in memory. */
class PieceWriter extends RecordBatchStreamWriter {
  #parts: Uint8Array[] = [];

  take(): Uint8Array {
    const parts = this.#parts;
    this.#parts = [];
    return Buffer.concat(parts);
  }

  protected override _write(chunk: Uint8Array): this {
    if (chunk.byteLength > 0) {
      this.#parts.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
    }
    return this;
  }
}

function arrowColumn(column: RowColumn): ArrowColumn {
  switch (column.dataType) {
    case 'integer':
      return typed(new Int64(), (length) => new BigInt64Array(length), BigInt);
    case 'decimal':
      return column.scale === undefined ? FLOATS : decimals(column.scale);
    case 'float':
      return FLOATS;
    case 'boolean':
      return { type: new Bool(), dataOf: (values) => dataFrom(values, new Bool()) };
    case 'date':
      return typed(
        new DateDay(),
        (length) => new Int32Array(length),
        (value) => Number(momentOf(value) / MICROS_A_DAY),
      );
    case 'timestamp':
      return typed(new TimestampMicrosecond(), (length) => new BigInt64Array(length), momentOf);
    case 'timestamptz':
      return typed(new TimestampMicrosecond('UTC'), (length) => new BigInt64Array(length), momentOf);
    case 'text':
    case 'time':
    case 'json':
    case 'binary':
    case 'other':
      return TEXTS;
  }
}

const FLOATS = typed(new Float64(), (length) => new Float64Array(length), Number);
const TEXTS: ArrowColumn = {
  type: new Utf8(),
  dataOf: (values) =>
    dataFrom(
      values.map((value) => (value === null ? null : String(value))),
      new Utf8(),
    ),
};

function dataFrom(values: readonly (FileValue | null)[], type: DataType): Data {
  const [data] = vectorFromArray(values, type).data;
  return data ?? makeData({ type, length: 0 });
}

type Present = Exclude<FileValue, null>;

/** Makes columns with values in an array of numbers. */
function typed<Value extends number | bigint>(
  type: DataType,
  arrayOf: (length: number) => { [place: number]: Value } & ArrayBufferView,
  read: (value: Present) => Value,
): ArrowColumn {
  return {
    type,
    dataOf(values) {
      const data = arrayOf(values.length);
      const { nullBitmap, nullCount } = nullsOf(values);
      for (const [row, value] of values.entries()) if (value !== null) data[row] = read(value);
      return makeData({ type, length: values.length, nullCount, nullBitmap, data } as never);
    },
  };
}

/** Makes exact decimals: whole numbers of 128 bits in units of the last digit, the lowest word first. */
function decimals(scale: number): ArrowColumn {
  const type = new Decimal(scale, DECIMAL_DIGITS, 128);
  return {
    type,
    dataOf(values) {
      const data = new Uint32Array(values.length * 4);
      const { nullBitmap, nullCount } = nullsOf(values);
      for (const [row, value] of values.entries()) {
        if (value === null) continue;
        let rest = BigInt.asUintN(128, unitsOf(String(value), scale));
        for (let word = 0; word < 4; word += 1) {
          data[row * 4 + word] = Number(rest & 0xffff_ffffn);
          rest >>= 32n;
        }
      }
      return makeData({ type, length: values.length, nullCount, nullBitmap, data });
    },
  };
}

/** Returns a decimal in units of its last digit: `12.5` with a scale of 2 is 1250. */
function unitsOf(text: string, scale: number): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? unfit(text);
  const shift = scale - fraction.length + Number(exponent);
  const digits = BigInt(`${whole}${fraction}`);
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '' ? units : -units;
}

const MICROS_A_DAY = 86_400_000_000n;

/** Returns the microseconds since 1970 of a date or a timestamp in ISO 8601. */
function momentOf(value: Present): bigint {
  const text = String(value);
  const [, day = '', clock = '00:00:00', fraction = '', zone = 'Z'] =
    /^([+-]?\d{4,6}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d(?::\d\d)?)?)?$/.exec(text) ??
    unfit(text);
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  const moment = Date.parse(`${day}T${clock}Z`);
  if (Number.isNaN(moment)) unfit(text);
  return BigInt(moment - offset * 1000) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** Refuses a value that its type has no form of, such as the date `infinity`. */
function unfit(text: string): never {
  throw new WarehouseError(`Arrow has no form of the value ${text.slice(0, 40)}. Ask for ndjson or csv.`);
}

function nullsOf(values: readonly FileValue[]): { readonly nullBitmap: Uint8Array; readonly nullCount: number } {
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  let nullCount = 0;
  for (const [row, value] of values.entries()) {
    if (value === null) nullCount += 1;
    else nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7));
  }
  return { nullBitmap, nullCount };
}
