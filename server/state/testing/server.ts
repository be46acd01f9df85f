import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { locatePostgres } from './programs.ts';

/** A running PostgreSQL server for tests; `url` is its administrator's, for the database `postgres`. */
export interface PostgresServer {
  readonly url: string;
  /** Ends the server like a crash, and starts it again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const Answer = z.union([z.object({ port: z.number(), password: z.string() }), z.object({ failed: z.string() })]);
const Restarted = z.union([z.object({ restarted: z.literal(true) }), z.object({ failed: z.string() })]);

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
  const lines = linesOf(supervisor.stdout);
  const line = (await lines.next()).value;
  if (line === undefined) throw new Error('The supervisor of the PostgreSQL test server ended without a word.');
  const answer = Answer.parse(JSON.parse(line));
  if ('failed' in answer) throw new Error(`The PostgreSQL test server did not start: ${answer.failed}`);
  // The pipes to it stay open but must not keep this process alive.
  supervisor.unref();
  for (const pipe of [supervisor.stdin, supervisor.stdout])
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  return {
    url: `postgres://postgres:${answer.password}@127.0.0.1:${answer.port}/postgres`,
    async restart() {
      supervisor.stdin.write('restart\n');
      const reply = Restarted.parse(JSON.parse((await lines.next()).value ?? '{}'));
      if ('failed' in reply) throw new Error(`The PostgreSQL test server did not start again: ${reply.failed}`);
    },
    async stop() {
      supervisor.ref();
      supervisor.stdin.end();
      await exited;
    },
  };
}

async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return undefined;
}
