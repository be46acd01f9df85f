import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../config/read-config.ts';
import { locateHome } from '../home-directory/home-directory.ts';
import { announceServer } from '../home-directory/running-address.ts';
import { describeImport } from './report.ts';

const OUTCOME = {
  name: 'shop',
  isNew: true,
  changes: [],
  tables: [],
  cubes: [],
  leftOut: [],
  documents: ['shared/shop/overview.servicedash'],
};
const DASHBOARD = '/ui/view/?path=shared/shop/overview.servicedash';

test("an import prints the address of the running server, and the settings' address where none runs", async () => {
  const home = locateHome(mkdtempSync(join(tmpdir(), 'service-report-')));
  const { config } = readConfig({ properties: 'service.http.port=8099', environment: {} });
  const server = createServer((_request, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const stopped = await describeImport({ config, home }, 'default', OUTCOME);
    expect(stopped.address).toBe(`http://localhost:8099${DASHBOARD}`);
    expect(stopped.lines.at(-1)).toBe(`Look at it at http://localhost:8099${DASHBOARD} after \`service start\`.`);
    const withdraw = announceServer(home, url);
    const running = await describeImport({ config, home }, 'default', OUTCOME);
    expect(running.address).toBe(`${url}${DASHBOARD}`);
    expect(running.lines.at(-1)).toBe(`Look at it at ${url}${DASHBOARD}.`);
    withdraw();
  } finally {
    server.close();
    rmSync(home.root, { recursive: true });
  }
});
