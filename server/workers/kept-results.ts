/** Keeps the results of pure work on disk, so that a start needs no thread for documents that an earlier one has read. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Log } from '../../router/capabilities/log.ts';
import type { WorkerPool } from '../../router/capabilities/worker-pool.ts';

export interface KeptResultsOptions {
  /** The folder of the results. Only this process's user can read it: documents are in it. */
  readonly directory: string;
  /** Changes where the same task may have another result: the version of the product. */
  readonly version: string;
  readonly log: Log;
  /** The most results; by default 500. */
  readonly maxFiles?: number;
}

const DEFAULT_MAX_FILES = 500;
const MAX_BYTES = 64 * 1024 * 1024;
/** Writes between two looks at the size of the folder. */
const WRITES_BETWEEN_CLEARINGS = 20;

/** The results of several pools in one folder. The ones that were not used for longest are removed where there are too many. */
export class KeptResults {
  readonly #options: KeptResultsOptions;
  readonly #running = new Map<string, Promise<unknown>>();
  #writes = 0;

  constructor(options: KeptResultsOptions) {
    this.#options = options;
  }

  /** Returns a pool that does a task only where the folder has no result of it. The tasks must have the same result each time. */
  of<Task, Result>(name: string, pool: WorkerPool<Task, Result>): WorkerPool<Task, Result> {
    return {
      size: pool.size,
      run: async (task, signal) => {
        const key = this.#key(name, task);
        // A task that is repeated while it runs, because it took too long for its caller, is not done twice.
        await this.#running.get(key)?.catch(() => undefined);
        const kept = await this.#read<Result>(key);
        if (kept !== undefined) return kept.result;
        const running = pool.run(task, signal).then(async (result) => {
          await this.#write(key, { key, result });
          return result;
        });
        this.#running.set(key, running);
        try {
          return await running;
        } finally {
          if (this.#running.get(key) === running) this.#running.delete(key);
        }
      },
    };
  }

  #key(name: string, task: unknown): string {
    // Node may write values in another form after an update of itself.
    const parts = serialize([name, this.#options.version, process.versions.v8, task]);
    return createHash('sha256').update(parts).digest('hex');
  }

  async #read<Result>(key: string): Promise<Kept<Result> | undefined> {
    const file = join(this.#options.directory, key);
    try {
      const bytes = await readFile(file);
      const kept: Kept<Result> = deserialize(bytes);
      if (kept.key !== key) return undefined;
      const now = new Date();
      await utimes(file, now, now);
      return kept;
    } catch (error) {
      // A result that is missing or cannot be read is made again.
      if (!isMissing(error)) this.#options.log.warn({ err: error }, 'a kept result of a document could not be read');
      return undefined;
    }
  }

  async #write(key: string, kept: Kept<unknown>): Promise<void> {
    const { directory, log } = this.#options;
    const temporary = join(directory, `.${key}.${randomUUID()}.tmp`);
    try {
      const bytes = serialize(kept);
      if (bytes.length > MAX_BYTES) return;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, join(directory, key));
      if (this.#writes++ % WRITES_BETWEEN_CLEARINGS === 0) await this.#clear();
    } catch (error) {
      await rm(temporary, { force: true });
      log.warn({ err: error }, 'the result of a document could not be kept');
    }
  }

  /** Removes the results that were not used for longest, and what killed processes left. */
  async #clear(): Promise<void> {
    const { directory, maxFiles = DEFAULT_MAX_FILES } = this.#options;
    const files = await Promise.all(
      (await readdir(directory)).map(async (name) => {
        const file = join(directory, name);
        const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
        return { file, mtimeMs, size };
      }),
    );
    let bytes = 0;
    for (const [index, { file, size }] of files.toSorted((left, right) => right.mtimeMs - left.mtimeMs).entries()) {
      bytes += size;
      if (index >= maxFiles || bytes > MAX_BYTES) await rm(file, { force: true });
    }
  }
}

interface Kept<Result> {
  /** The name of its file: a file that was copied or cut is not used. */
  readonly key: string;
  readonly result: Result;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
