import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FILE_FORMATS,
  type FileFormat,
  type FileImport,
  type ImportedTable,
} from '../../router/capabilities/file-import.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { CancelledError, InternalError, TimeoutError, ValidationError } from '../../router/errors.ts';
import { ownScratchName } from '../disk/scratch.ts';
import { entryPoint } from '../entry-points.ts';
import { yieldTheProcessor } from '../fair-share/yield-the-processor.ts';
import type { ImportReply, ImportTask } from './protocol.ts';

export interface FileImportOptions {
  readonly log: Log;
  /** Memory of the importing process; more data goes to disk. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Time limit of one import in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum of rows times columns of one table. */
  readonly maxCells?: number;
  /** Number of imports that run at a time; others wait. */
  readonly atATime?: number;
}

/** Maximum size of a database relative to its files, at least `MIN_DATABASE_BYTES`. */
const MAX_GROWTH = 10;
const MIN_DATABASE_BYTES = 268_435_456;
const MAX_CELLS = 20_000_000_000;
const SIZE_CHECK_MS = 250;

/** Opens the import of files into databases. Each import runs in its own process, within limits. */
export function openFileImport({
  log,
  memoryBytes,
  threads,
  timeoutMs,
  maxCells = MAX_CELLS,
  atATime = 2,
}: FileImportOptions): FileImport {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atATime) await new Promise<void>((go) => waiting.push(go));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  return {
    load: (files, target, { signal, choices = {} } = {}) =>
      inTurn(async () => {
        if (signal?.aborted === true) throw cancelled();
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        const scratch = await mkdtemp(join(dirname(resolve(target)), `.import-${ownScratchName()}-`));
        try {
          const bytes = (await Promise.all(files.map(({ path }) => stat(path)))).reduce(
            (sum, { size }) => sum + size,
            0,
          );
          const made = join(scratch, 'made.duckdb');
          const links = await Promise.all(
            files.map(async ({ path, name, table }, index) => {
              const format = formatOf(name);
              const link = join(scratch, `file-${index}.${format}`);
              await symlink(resolve(path), link);
              return { path: link, name, table, format };
            }),
          );
          const task: ImportTask = { files: links, target: made, scratch, memoryBytes, threads, maxCells, choices };
          const tables = await runProcess(task, {
            maxBytes: Math.max(MIN_DATABASE_BYTES, MAX_GROWTH * bytes),
            timeoutMs,
            signal,
            log,
          });
          await rename(made, target);
          return tables;
        } finally {
          await rm(scratch, { recursive: true, force: true });
        }
      }),
  };
}

/** Returns the format by a file's name. @throws ValidationError */
export function formatOf(name: string): FileFormat {
  const extension = extname(name).slice(1).toLowerCase();
  const format = FILE_FORMATS.find((each) => each === extension);
  if (format === undefined)
    throw ValidationError.at(
      ['file'],
      `The name of the file must end in ${new Intl.ListFormat('en', { type: 'disjunction' }).format(FILE_FORMATS.map((each) => `.${each}`))}.`,
      FILE_FORMATS.map((each) => `.${each}`),
    );
  return format;
}

interface ProcessLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly log: Log;
}

function runProcess(
  task: ImportTask,
  { maxBytes, timeoutMs, signal, log }: ProcessLimits,
): Promise<readonly ImportedTable[]> {
  // A caller that left during the check gets no second error.
  if (signal?.aborted === true) return Promise.reject(cancelled());
  const { module, execArgv } = entryPoint('file-import');
  const child = fork(fileURLToPath(module), {
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  yieldTheProcessor(child.pid);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  return new Promise<readonly ImportedTable[]>((settle, reject) => {
    const stop = (error: Error): void => {
      reject(error);
      child.kill('SIGKILL');
    };
    const cancel = (): void => stop(cancelled());
    const timer = setTimeout(
      () =>
        stop(
          new TimeoutError(`The file took longer than ${Math.round(timeoutMs / 1_000)} s to read and was given up.`),
        ),
      timeoutMs,
    );
    const sizes = setInterval(() => {
      void databaseSize(task).then((bytes) => {
        if (bytes > maxBytes) stop(ValidationError.at(['file'], 'The file unpacks to far more than its own size.'));
      });
    }, SIZE_CHECK_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    let reply: ImportReply | undefined;
    child.on('message', (message: ImportReply) => {
      reply = message;
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      clearTimeout(timer);
      clearInterval(sizes);
      signal?.removeEventListener('abort', cancel);
      if (reply?.kind === 'done') settle(reply.tables);
      else if (reply?.kind === 'refused') reject(ValidationError.at(['file'], reply.message));
      else {
        const cause = new Error(reply?.message ?? `The process ended (${killedBy ?? code}). ${errors}`.trim());
        log.warn({ err: cause }, 'a file could not be imported');
        // The system kills a process that uses too much memory.
        if (killedBy !== null || code === 137)
          reject(ValidationError.at(['file'], 'The file needs more memory than a file may take here.'));
        else reject(new InternalError('The file could not be imported.', { cause }));
      }
    });
    child.send(task, (error) => {
      if (error !== null) stop(error);
    });
  });
}

/** Returns the bytes of the unfinished database and its temporary files. */
async function databaseSize({ target, scratch }: ImportTask): Promise<number> {
  const paths = [target, `${target}.wal`, join(scratch, 'spill')];
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function cancelled(): CancelledError {
  return new CancelledError('The import was cancelled.');
}
