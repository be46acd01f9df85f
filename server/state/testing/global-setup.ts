import { createServer } from 'node:http';
import { BROKER_VARIABLE } from './postgres.ts';
import { type PostgresServer, startPostgresServer } from './server.ts';

/**
 * Vitest's global set-up: one PostgreSQL server for the whole run, started when the first test asks for it. The test
 * processes ask over HTTP on 127.0.0.1; each then creates its own database, so they do not see one another.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let running: Promise<PostgresServer> | undefined;
  const broker = createServer((_request, response) => {
    running ??= startPostgresServer();
    running.then(
      (server) => response.end(server.url),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  if (address === null || typeof address === 'string') throw new Error('The broker has no port.');
  process.env[BROKER_VARIABLE] = `http://127.0.0.1:${address.port}/`;
  return async () => {
    broker.close();
    delete process.env[BROKER_VARIABLE];
    await running?.then(
      (server) => server.stop(),
      () => undefined, // It never started, which the tests that asked have been told.
    );
  };
}
