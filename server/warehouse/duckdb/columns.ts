/**
 * Reads the columns of a chunk from DuckDB's memory, in the layouts of its C API (`duckdb_vector_get_data`). The library's own readers make several objects
 * for each decimal and decode each text anew, which takes most of the time of a large answer. They still read the types that are seldom in answers.
 */
import {
  type DuckDBDataChunk,
  DuckDBDateType,
  DuckDBDateValue,
  DuckDBDecimalType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { decimalFromScaled, integerFromBigint } from '../values.ts';
import { scalarOf } from './values.ts';

/** Returns the values of a column of a chunk. */
export type ReadColumn = (chunk: DuckDBDataChunk, column: number) => Scalar[];

/** The memory of a column: as bytes, and as words of 32 bits with a sign. */
interface Memory {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly words: Int32Array;
}

/** Reads the value of a row, which is not null. */
type ReadValue<Value extends Scalar = Scalar> = (memory: Memory, row: number) => Value;

interface Layout {
  /** Bytes of a value. */
  readonly width: number;
  /** Makes the reader of the values of one answer. */
  reader(): ReadValue;
}

/** Makes the reader of a column, which keeps some of its texts and dates for further chunks. */
export function columnReader(type: DuckDBType): ReadColumn {
  const layout = type instanceof DuckDBDecimalType ? decimalLayout(type) : LAYOUTS[type.typeId];
  if (layout === undefined) return readByLibrary;
  const { width } = layout;
  const read = layout.reader();
  return ({ chunk, rowCount }, column) => {
    const vector = duckdb.data_chunk_get_vector(chunk, column);
    // The memory of the process, which no thread of JavaScript shares.
    const data = duckdb.vector_get_data(vector, rowCount * width) as Uint8Array<ArrayBuffer>;
    const memory: Memory = {
      bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      words: new Int32Array(data.buffer, data.byteOffset, data.byteLength >> 2),
    };
    // The library's type omits the null of a column that has no nulls.
    const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8);
    const cells = new Array<Scalar>(rowCount);
    for (let row = 0; row < rowCount; row++) {
      const isNull = validity !== null && ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
      cells[row] = isNull ? null : read(memory, row);
    }
    return cells;
  };
}

const readByLibrary: ReadColumn = (chunk, column) => {
  const vector = chunk.getColumnVector(column);
  const { type } = vector;
  const cells = new Array<Scalar>(chunk.rowCount);
  // `Array.from` with a function takes half as long again.
  for (let row = 0; row < cells.length; row++) cells[row] = scalarOf(vector.getItem(row), type);
  return cells;
};

const integer16: ReadValue<number> = ({ bytes }, row) => bytes.readInt16LE(row * 2);
const integer32: ReadValue<number> = ({ words }, row) => words[row] ?? 0;
const integer64: ReadValue<number | bigint> = ({ words }, row) =>
  fromWords(words[row * 2] ?? 0, words[row * 2 + 1] ?? 0);

const integer128: ReadValue<number | bigint> = ({ words }, row) => {
  const at = row * 4;
  const [lowest, low, high, highest] = [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
  // The upper half of a number of 64 bits repeats its sign.
  const sign = low >> 31;
  if (high === sign && highest === sign) return fromWords(lowest, low);
  return (bigintOf(high, highest) << 64n) | BigInt.asUintN(64, bigintOf(lowest, low));
};

/** Every number with a high word of at most this size is safe (below 2^53). */
const SAFE_HIGH_WORD = 0x1f_ffff;
const WORD = 2 ** 32;

/** Returns an integer of 64 bits: a number where it is safe. */
function fromWords(low: number, high: number): number | bigint {
  if (Math.abs(high) > SAFE_HIGH_WORD) return integerFromBigint(bigintOf(low, high));
  return high * WORD + (low >>> 0);
}

function bigintOf(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

/** The integers that store decimals, by the most digits of each. */
const STORED_DECIMALS: readonly (readonly [digits: number, width: number, read: ReadValue<number | bigint>])[] = [
  [4, 2, integer16],
  [9, 4, integer32],
  [18, 8, integer64],
  [38, 16, integer128],
];

function decimalLayout({ width: digits, scale }: DuckDBDecimalType): Layout | undefined {
  const stored = STORED_DECIMALS.find(([most]) => digits <= most);
  if (stored === undefined) return undefined;
  const [, width, read] = stored;
  return { width, reader: () => (memory, row) => decimalFromScaled(read(memory, row), scale) };
}

/** Dates of a column that are kept. */
const MAX_DATES = 4_096;

function dateReader(): ReadValue {
  const kept = new Map<number, Scalar>();
  return ({ words }, row) => {
    const days = words[row] ?? 0;
    const before = kept.get(days);
    if (before !== undefined) return before;
    const date = scalarOf(new DuckDBDateValue(days), DuckDBDateType.instance);
    if (kept.size < MAX_DATES) kept.set(days, date);
    return date;
  };
}

const TEXT_BYTES = 16;
const TEXT_WORDS = TEXT_BYTES / 4;
/** Texts of up to so many bytes are stored in their place, longer ones at an address. */
const MAX_INLINE = 12;
const LENGTH_BYTES = 4;
const ADDRESS_AT = 8;
/** Short texts of a column that are kept; a power of two. */
const PLACES = 1_024;

/** Makes a reader of texts. A short text that was read before is given again: columns of groups have few texts many times. */
function textReader(): ReadValue {
  const texts = new Array<string>(PLACES).fill('');
  const stored = new Int32Array(PLACES * TEXT_WORDS);
  return ({ bytes, words }, row) => {
    const at = row * TEXT_WORDS;
    const [length, one, two, three] = [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
    const start = row * TEXT_BYTES;
    if (length > MAX_INLINE || length < 0) {
      const address = bytes.byteOffset + start + ADDRESS_AT;
      const { buffer, byteOffset, byteLength } = duckdb.get_data_from_pointer(bytes.buffer, address, length >>> 0);
      return Buffer.from(buffer, byteOffset, byteLength).toString();
    }
    const place = placeOf(one, two, three);
    const from = place * TEXT_WORDS;
    const isKept =
      stored[from] === length && stored[from + 1] === one && stored[from + 2] === two && stored[from + 3] === three;
    if (isKept) return texts[place] ?? '';
    const text = bytes.toString('utf8', start + LENGTH_BYTES, start + LENGTH_BYTES + length);
    texts[place] = text;
    stored[from] = length;
    stored[from + 1] = one;
    stored[from + 2] = two;
    stored[from + 3] = three;
    return text;
  };
}

/** Spreads texts over the places (Knuth, The Art of Computer Programming, volume 3, 6.4: multiplicative hashing). */
function placeOf(one: number, two: number, three: number): number {
  const mixed = Math.imul(one ^ Math.imul(two ^ Math.imul(three, GOLDEN), GOLDEN), GOLDEN);
  return (mixed ^ (mixed >>> 15)) & (PLACES - 1);
}
/** 2^32 divided by the golden ratio, odd. */
const GOLDEN = 0x9e_37_79_b1;

const LAYOUTS: Readonly<Partial<Record<DuckDBTypeId, Layout>>> = {
  [DuckDBTypeId.SMALLINT]: { width: 2, reader: () => integer16 },
  [DuckDBTypeId.INTEGER]: { width: 4, reader: () => integer32 },
  [DuckDBTypeId.BIGINT]: { width: 8, reader: () => integer64 },
  [DuckDBTypeId.HUGEINT]: { width: 16, reader: () => integer128 },
  [DuckDBTypeId.DOUBLE]: {
    width: 8,
    reader:
      () =>
      ({ bytes }, row) =>
        bytes.readDoubleLE(row * 8),
  },
  [DuckDBTypeId.DATE]: { width: 4, reader: dateReader },
  [DuckDBTypeId.VARCHAR]: { width: TEXT_BYTES, reader: textReader },
};
