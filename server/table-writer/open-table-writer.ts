import { fork } from 'node:child_process';
import { mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../router/capabilities/log.ts';
import type { TableWriter } from '../../router/capabilities/table-writer.ts';
import { CancelledError, ConflictError, InternalError, TimeoutError } from '../../router/errors.ts';
import { versionOfFile } from '../../router/file-version.ts';
import { clearTables, ownTablesName } from '../disk/scratch.ts';
import { entryPoint } from '../entry-points.ts';
import { yieldTheProcessor } from '../fair-share/yield-the-processor.ts';
import type { WriteReply, WriteTask } from './protocol.ts';

export interface TableWriterOptions {
  readonly log: Log;
  /** Memory of the writing process; more data goes to disk. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Time limit of one task in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Opens the writing of computed tables. Each task runs in its own process, which reads and writes only the database; it is not
 * limited to reading, as warehouses are, because its statements are made of checked models.
 */
export function openTableWriter({ log, memoryBytes, threads, timeoutMs }: TableWriterOptions): TableWriter {
  return {
    async write(link, tables, { signal }) {
      if (signal?.aborted === true) throw cancelled();
      const file = await realpath(link).catch(() => link);
      await clearTables(dirname(file));
      const scratch = await mkdtemp(join(dirname(file), ownTablesName()));
      const copy = join(scratch, 'copy.duckdb');
      const release = () => rm(scratch, { recursive: true, force: true });
      const task: WriteTask = { file, copy, spill: join(scratch, 'spill'), tables, memoryBytes, threads };
      try {
        const { written, end } = await runProcess(task, { timeoutMs, signal, log });
        return {
          tables: written.tables,
          version: written.version,
          async place() {
            if ((await versionOfFile(file)) !== written.version) throw changed();
            await rename(copy, file);
            return (await versionOfFile(file)) ?? '';
          },
          async release() {
            end();
            await release();
          },
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

interface ProcessLimits {
  readonly log: Log;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs a task. The process goes on until `end`: it keeps other programs from writing the file. */
function runProcess(task: WriteTask, { timeoutMs, signal, log }: ProcessLimits) {
  const { module, execArgv } = entryPoint('table-writer');
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
  const end = (): void => {
    child.kill('SIGKILL');
  };
  return new Promise<{ readonly written: Extract<WriteReply, { kind: 'written' }>; readonly end: () => void }>(
    (settle, reject) => {
      const stop = (error: Error): void => {
        reject(error);
        end();
      };
      const cancel = (): void => stop(cancelled());
      const timer = setTimeout(
        () => stop(new TimeoutError(`The tables took longer than ${Math.round(timeoutMs / 1_000)} s to write.`)),
        timeoutMs,
      );
      signal?.addEventListener('abort', cancel, { once: true });
      const failed = (cause: Error): void => {
        log.warn({ err: cause }, 'computed tables could not be written');
        stop(new InternalError('The tables could not be written.', { cause }));
      };
      child.on('message', (reply: WriteReply) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        if (reply.kind === 'written') {
          for (const reason of reply.logged) log.warn({ reason }, 'a computed table could not be written');
          settle({ written: reply, end });
        } else if (reply.kind === 'refused') stop(new ConflictError(reply.message, { code: 'NOT_WRITTEN' }));
        else failed(new Error(reply.message));
      });
      child.on('error', reject);
      child.on('close', (code, killedBy) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        // After a reply, this changes nothing.
        reject(new InternalError(`The process that writes tables ended (${killedBy ?? code}). ${errors}`.trim()));
      });
      child.send(task, (error) => {
        if (error !== null) stop(error);
      });
    },
  );
}

function changed(): ConflictError {
  return new ConflictError('The database has changed while its tables were computed. Build again.', {
    code: 'STALE_VERSION',
  });
}

function cancelled(): CancelledError {
  return new CancelledError('The writing of tables was stopped.');
}
