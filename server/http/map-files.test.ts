import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapFiles } from './map-files.ts';

const root = mkdtempSync(join(tmpdir(), 'maps-'));
const EUROPE = '{"type":"FeatureCollection","features":[]}';
let origin: string;
let close: () => void;

beforeAll(async () => {
  mkdirSync(join(root, 'maps'));
  writeFileSync(join(root, 'maps', 'europe.json'), EUROPE);
  writeFileSync(join(root, 'maps', 'notes.txt'), 'secret');
  writeFileSync(join(root, 'secret.json'), 'secret');
  const app = express();
  app.use('/ui/maps', mapFiles(join(root, 'maps')));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}/ui/maps/`;
  close = () => server.close();
});
afterAll(() => {
  close();
  rmSync(root, { recursive: true });
});

it('pages of any origin load a map', async () => {
  const response = await fetch(`${origin}europe.json`);
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.text()).toBe(EUROPE);
});

it.each(['none.json', 'notes.txt', '..%2fsecret.json', '', 'europe', 'a/europe.json'])(
  'there is no map %j',
  async (path) => {
    const response = await fetch(origin + path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  },
);
