/** Checks by the first and last bytes that a file has its name's format, and detects its text encoding. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { FileFormat } from '../../router/capabilities/file-import.ts';
import { JsonDepth } from './json-depth.ts';

/** A refused file. The sender of the file receives the message. */
export class RefusedFile extends Error {}

const HEAD_BYTES = 65_536;
const PARQUET = Buffer.from('PAR1');
const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/** First bytes of files that people rename to `.csv`. */
const FOREIGN: readonly (readonly [string, Buffer])[] = [
  ['a Parquet file', PARQUET],
  ['a gzip archive', Buffer.from([0x1f, 0x8b])],
  ['a zip archive or an Excel workbook', ZIP],
  ['an old Excel workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0])],
  ['a Zstandard archive', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['a PDF', Buffer.from('%PDF')],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ['a SQLite database', Buffer.from('SQLite format 3\0')],
];

/** Bytes at the end of a JSON file in which its last character is searched. */
const JSON_TAIL_BYTES = 4_096;

/** Levels of nested values in a JSON file. */
const MAX_JSON_DEPTH = 64;

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Checks a file against its format.
 *
 * @returns the encoding of a text; `utf-8` for Parquet files and workbooks
 * @throws RefusedFile with the reason
 */
export async function checkContent(path: string, format: FileFormat): Promise<TextEncoding> {
  const { head, tail, size } = ends(path, format === 'json' ? JSON_TAIL_BYTES : 4);
  if (size === 0) throw new RefusedFile('The file is empty.');
  if (format === 'parquet') {
    if (!head.subarray(0, 4).equals(PARQUET)) throw new RefusedFile(`This is not a Parquet file${looksLike(head)}.`);
    if (size < 12 || !tail.equals(PARQUET)) throw new RefusedFile('The Parquet file is not whole: its end is missing.');
    return 'utf-8';
  }
  if (format === 'xlsx') {
    if (!head.subarray(0, 4).equals(ZIP))
      throw new RefusedFile(`This is not an Excel workbook (.xlsx)${looksLike(head)}.`);
    return 'utf-8';
  }
  const name = format === 'csv' ? 'CSV' : 'JSON';
  const foreign = foreignKind(head);
  if (foreign !== undefined) throw new RefusedFile(`This is not ${name} text but ${foreign}.`);
  const depth = format === 'json' ? new JsonDepth() : undefined;
  const encoding = await detectEncoding(path, head, depth);
  const text = new TextDecoder(encoding).decode(head).trimStart();
  if (text === '' && size <= HEAD_BYTES) throw new RefusedFile('The file has only white space.');
  if (text.includes('\0')) throw new RefusedFile(`This is not ${name} text: it contains binary data.`);
  if (format === 'json' && !/^[[{]/.test(text))
    throw new RefusedFile('This JSON has no rows: it begins with neither [ nor {.');
  // The reader takes the whole objects of a file that was cut, and the others would be missing without a word.
  const rest = encoding === 'utf-8' ? tail.toString('latin1').trimEnd() : '';
  if (format === 'json' && rest !== '' && !rest.endsWith(text.startsWith('[') ? ']' : '}'))
    throw new RefusedFile('The JSON is not whole: its end is missing.');
  // The reader takes far longer for each level.
  if (depth !== undefined && depth.greatest > MAX_JSON_DEPTH)
    throw new RefusedFile(`The JSON is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  if (format === 'csv' && /^<(!doctype|html|\?xml)/i.test(text))
    throw new RefusedFile('This is not CSV but a web page.');
  return encoding;
}

function ends(
  path: string,
  tailBytes: number,
): { readonly head: Buffer; readonly tail: Buffer; readonly size: number } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = (length: number, position: number): Buffer => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(file, buffer, 0, length, position));
    };
    return {
      head: read(Math.min(size, HEAD_BYTES), 0),
      tail: read(Math.min(size, tailBytes), Math.max(0, size - tailBytes)),
      size,
    };
  } finally {
    closeSync(file);
  }
}

function foreignKind(head: Buffer): string | undefined {
  return FOREIGN.find(([, magic]) => head.subarray(0, magic.length).equals(magic))?.[0];
}

function looksLike(head: Buffer): string {
  const kind = foreignKind(head);
  return kind === undefined ? '' : ` but ${kind}`;
}

/** Detects the encoding by the byte order mark. Without one, text that is not UTF-8 counts as Windows-1252, which spreadsheets write. */
async function detectEncoding(path: string, head: Buffer, depth: JsonDepth | undefined): Promise<TextEncoding> {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
      decoder.decode(chunk as Buffer, { stream: true });
      depth?.add(chunk as Buffer);
      if (depth !== undefined && depth.greatest > MAX_JSON_DEPTH) break;
    }
    if (depth === undefined || depth.greatest <= MAX_JSON_DEPTH) decoder.decode();
    return 'utf-8';
  } catch {
    // A TypeError of the decoder: these bytes are no UTF-8.
    return 'windows-1252';
  }
}
