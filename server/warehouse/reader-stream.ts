import type { ResultChunk, Scalar } from '../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../router/errors.ts';
import type { Reader } from './driver.ts';
import type { Deadline } from './limits.ts';

/**
 * The chunks of a stream. The connection is released when the last chunk was read, when the reader leaves the loop, and when the limits end, also
 * while nobody reads: a generator's `finally` would not run before its first `next()`.
 */
export class ReaderStream implements AsyncIterableIterator<ResultChunk> {
  readonly #reader: Reader;
  readonly #limits: Deadline;
  readonly #translateError: (error: unknown) => ServiceError;
  readonly #ended: (reason: ServiceError | undefined) => void;
  readonly #onAbort = (): void => {
    // A read in flight is rejected by the engine and closes the reader itself.
    if (!this.#reading) void this.#finish();
  };
  #rowsLeft: number;
  #reading = false;
  #finished: Promise<void> | undefined;

  /** @param ended is called once, when the stream has ended; with the reason of the limits that ended it */
  constructor(
    reader: Reader,
    limits: Deadline,
    rowLimit: number,
    translateError: (error: unknown) => ServiceError,
    ended: (reason: ServiceError | undefined) => void = () => undefined,
  ) {
    this.#ended = ended;
    this.#reader = reader;
    this.#limits = limits;
    this.#rowsLeft = rowLimit;
    this.#translateError = translateError;
    if (limits.signal.aborted) this.#onAbort();
    else limits.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ResultChunk, undefined>> {
    if (this.#limits.reason !== undefined) throw this.#limits.reason;
    if (this.#finished !== undefined) return { done: true, value: undefined };
    const chunk = this.#rowsLeft === 0 ? undefined : await this.#read();
    if (chunk === undefined) {
      await this.#finish();
      return { done: true, value: undefined };
    }
    const value = firstRows(chunk, this.#rowsLeft);
    this.#rowsLeft -= value.rowCount;
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ResultChunk, undefined>> {
    await this.#finish();
    return { done: true, value: undefined };
  }

  async #read(): Promise<ResultChunk | undefined> {
    this.#reading = true;
    const work = this.#reader.read();
    try {
      return await this.#limits.within(work);
    } catch (error) {
      // Not awaited: the engine may still be stopping. It closes once the read has ended; the caller gets its error now.
      work.then(
        () => this.#finish(),
        () => this.#finish(),
      );
      throw this.#translateError(error);
    } finally {
      this.#reading = false;
    }
  }

  #finish(): Promise<void> {
    this.#finished ??= this.#close();
    return this.#finished;
  }

  async #close(): Promise<void> {
    this.#limits.signal.removeEventListener('abort', this.#onAbort);
    this.#limits.dispose();
    this.#ended(this.#limits.reason);
    await this.#reader.close();
  }
}

/** Converts columns to rows, for the few rows of a catalog. */
export function transposeToRows(chunk: ResultChunk): readonly (readonly Scalar[])[] {
  return Array.from({ length: chunk.rowCount }, (_, row) => chunk.values.map((column) => column[row] ?? null));
}

function firstRows(chunk: ResultChunk, rows: number): ResultChunk {
  if (chunk.rowCount <= rows) return chunk;
  return { rowCount: rows, values: chunk.values.map((column) => column.slice(0, rows)) };
}
