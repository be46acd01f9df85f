/**
 * The format of a backup: a gzip stream of JSON lines. First a header; then tables, each a line with its columns and lines of rows; then files, each
 * a line with path and size and then the bytes; last a line with the SHA-256 of everything before. It does not depend on the state's engine: a backup
 * from SQLite can be restored into PostgreSQL.
 */
import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';

export const FORMAT_VERSION = 1;
const MAX_LINE_BYTES = 512 * 1024 * 1024;

/** A file that is no backup, or a backup that this version cannot read. The message is one line for the caller of the command. */
export class BackupUnusableError extends Error {
  override readonly name = 'BackupUnusableError';
}

const Cell = z.union([z.string(), z.number(), z.null()]);

export const Header = z.object({
  serviceBackup: z.number().int(),
  version: z.string(),
  at: z.string(),
  engine: z.string(),
  migrations: z.array(z.object({ owner: z.string(), name: z.string(), applied_at: z.number() })),
});
export type Header = z.output<typeof Header>;

export const Line = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ rows: z.array(z.array(Cell)) }),
  z.object({
    file: z.string(),
    size: z.number().int().nonnegative(),
    mode: z.number().int(),
    /** Time of the file's last change, in milliseconds since 1970; backups of the first versions lack it. */
    modified: z.number().nonnegative().optional(),
  }),
  z.object({ sha256: z.string() }),
]);
export type Line = z.output<typeof Line>;
export type Cell = z.output<typeof Cell>;

/** Yields the pieces of a backup, with the hash at its end. */
export class Writer {
  readonly #hash: Hash = createHash('sha256');

  line(value: Line | Header): Buffer {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    this.#hash.update(bytes);
    return bytes;
  }

  bytes(chunk: Buffer): Buffer {
    this.#hash.update(chunk);
    return chunk;
  }

  end(): Buffer {
    return Buffer.from(`${JSON.stringify({ sha256: this.#hash.digest('hex') })}\n`);
  }
}

/** Reads lines and byte sequences from a stream, and hashes them. */
export class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Reads the next line, and hashes it except for the line with the hash; `undefined` at the end. */
  async line(): Promise<Line | Header | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const end = this.#rest.indexOf(10);
      const part = end < 0 ? this.#rest : this.#rest.subarray(0, end + 1);
      parts.push(part);
      length += part.length;
      if (length > MAX_LINE_BYTES)
        throw new BackupUnusableError('This is not a backup of service: a line of it is too long.');
      this.#rest = this.#rest.subarray(part.length);
      if (end >= 0) break;
      if (!(await this.#more())) {
        if (length === 0) return undefined;
        throw truncated();
      }
    }
    const bytes = Buffer.concat(parts);
    const value = parsed(bytes);
    if (!('sha256' in value)) this.#hash.update(bytes);
    return value;
  }

  /** Reads the next `size` bytes, in pieces. */
  async *bytes(size: number): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw truncated();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      this.#hash.update(piece);
      yield piece;
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}

export const truncated = () => new BackupUnusableError('This backup is cut off: make a new one, or use another.');

function parsed(bytes: Buffer): Line | Header {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new BackupUnusableError('This is not a backup of service.', { cause });
  }
  const header = Header.safeParse(value);
  if (header.success) return header.data;
  const line = Line.safeParse(value);
  if (line.success) return line.data;
  throw new BackupUnusableError('This is not a backup of service.', { cause: line.error });
}
