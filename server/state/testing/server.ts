import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { locatePostgres } from './programs.ts';

/** A running PostgreSQL server of our own; `url` is its administrator's, for the database `postgres`. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

const Answer = z.union([z.object({ port: z.number(), password: z.string() }), z.object({ failed: z.string() })]);

/** Starts a server on a free port of 127.0.0.1 with its data in a temporary directory. It dies with this process. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = await locatePostgres();
  const supervisor = spawn(
    process.execPath,
    [fileURLToPath(new URL('./supervisor.mjs', import.meta.url)), JSON.stringify(programs)],
    // Detached: a Ctrl-C in the terminal must not end the supervisor before it has stopped its server.
    { detached: true, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const exited = once(supervisor, 'exit');
  let line = '';
  for await (const chunk of supervisor.stdout.setEncoding('utf8')) {
    line += chunk;
    if (line.includes('\n')) break;
  }
  if (line === '') throw new Error('The supervisor of the PostgreSQL test server ended without a word.');
  const answer = Answer.parse(JSON.parse(line));
  if ('failed' in answer) throw new Error(`The PostgreSQL test server did not start: ${answer.failed}`);
  // The pipe to its standard input stays open but must not keep this process alive.
  supervisor.unref();
  if ('unref' in supervisor.stdin && typeof supervisor.stdin.unref === 'function') supervisor.stdin.unref();
  return {
    url: `postgres://postgres:${answer.password}@127.0.0.1:${answer.port}/postgres`,
    async stop() {
      supervisor.ref();
      supervisor.stdin.end();
      await exited;
    },
  };
}
