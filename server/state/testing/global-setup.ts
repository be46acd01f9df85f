import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { bundleEntryPoints } from '../../testing/bundles.ts';
import { startMysqlServer } from '../../warehouse/testing/mysql.ts';
import { startTrinoServer } from '../../warehouse/testing/trino.ts';
import { startPostgresServer } from './server.ts';
import { BROKER_VARIABLE, SHARED_SERVERS, type SharedServer } from './shared-servers.ts';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const START: Readonly<Record<SharedServer, () => Promise<Server>>> = {
  postgresql: startPostgresServer,
  mariadb: startMysqlServer,
  trino: startTrinoServer,
};

/**
 * Sets up a run of Vitest: bundles the threads and processes that tests start, and offers one server of each kind, which starts on first use. The
 * test processes request the servers over HTTP on 127.0.0.1. Each test then creates its own databases, so tests do not affect one another.
 */
export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  // Vitest sets up each project of a run.
  if (process.env[BROKER_VARIABLE] !== undefined) return async () => undefined;
  // In watch mode the sources may change during a run.
  const unbundle = config.watch ? undefined : await bundleEntryPoints();
  const running = new Map<SharedServer, Promise<Server>>();
  const broker = createServer((request, response) => {
    const name = SHARED_SERVERS.find((each) => request.url === `/${each}`);
    if (name === undefined) {
      response.writeHead(404).end();
      return;
    }
    const server = running.get(name) ?? START[name]();
    running.set(name, server);
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  if (address === null || typeof address === 'string') throw new Error('The broker has no port.');
  process.env[BROKER_VARIABLE] = `http://127.0.0.1:${address.port}/`;
  return async () => {
    unbundle?.();
    broker.close();
    delete process.env[BROKER_VARIABLE];
    // A server that failed to start has reported that to its tests.
    for (const server of running.values()) await server.then(({ stop }) => stop()).catch(() => undefined);
  };
}
