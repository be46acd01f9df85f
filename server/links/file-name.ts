/** Names downloaded files: the name decides the format and the table. */
import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { FILE_FORMATS, type FileFormat } from '../../router/capabilities/file-import.ts';

const MAX_NAME_LENGTH = 200;

const FORMAT_OF_TYPE: Readonly<Record<string, FileFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/comma-separated-values': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'application/jsonl': 'json',
  'application/vnd.apache.parquet': 'parquet',
  'application/x-parquet': 'parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

/** Returns the name of the file of an answer; `undefined` where neither its name nor its type is one of a data file. */
export function nameOfFile(url: URL, headers: IncomingHttpHeaders): string | undefined {
  const names = [nameOfDisposition(headers['content-disposition'] ?? ''), lastSegment(url)].map(plainName);
  const named = names.find((name) => isFormat(extname(name).slice(1).toLowerCase()));
  if (named !== undefined) return named;
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const format = FORMAT_OF_TYPE[type.trim().toLowerCase()];
  const base = names.find((name) => name !== '') ?? url.hostname;
  return format === undefined ? undefined : `${base.slice(0, MAX_NAME_LENGTH)}.${format}`;
}

function isFormat(extension: string): boolean {
  return FILE_FORMATS.some((format) => format === extension);
}

function nameOfDisposition(header: string): string {
  const encoded = /filename\*=(?:UTF-8|ISO-8859-1)?'[^']*'([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) return decoded(encoded);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? '';
}

function lastSegment({ pathname }: URL): string {
  return decoded(pathname.split('/').at(-1) ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a name without folders and control characters. */
function plainName(name: string): string {
  const [base = ''] = name.split(/[/\\]/).slice(-1);
  return base
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .replace(/^\.+/, '')
    .slice(-MAX_NAME_LENGTH);
}
