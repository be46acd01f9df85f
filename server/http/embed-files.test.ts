import {
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import compression from 'compression';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverElement } from '../../scripts/element-files.ts';
import { type OpenPort, openPort } from './port.ts';
import { pages } from './static-files.ts';

const SCRIPT = `/*! service-embed */ ${'console.log("entry");'.repeat(200)}`;
const CHARTS = `export default ${JSON.stringify('chart '.repeat(500))};`;
const YEAR = 'public, max-age=31536000, immutable';

let folder: string;
let host: OpenPort;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-ui-'));
  const from = mkdtempSync(join(tmpdir(), 'service-element-'));
  writeFileSync(join(from, 'service-embed.js'), SCRIPT);
  writeFileSync(join(from, 'service-embed-charts-1.2.3-1a2b3c4d.js'), CHARTS);
  deliverElement(from, folder, '1.2.3');
  rmSync(from, { recursive: true });
  writeFileSync(join(folder, 'service-embed-other.txt'), 'no file of the element');
  writeFileSync(join(folder, 'service-embed-1.2.3.tgz'), 'a package');
  host = await openPort('127.0.0.1', 0);
  host.serve(express().use(compression()).use('/ui', pages(folder)));
});

afterAll(async () => {
  await host.stop(100);
  rmSync(folder, { recursive: true });
});

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Gets an answer as sent: fetch would decompress the body. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: host.port, path: `/ui/${path}`, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
    })
      .on('error', reject)
      .end();
  });
}

describe('the script and its parts', () => {
  test.each([
    ['service-embed.js', SCRIPT, 'public, max-age=0, must-revalidate'],
    ['service-embed@1.2.3.js', SCRIPT, YEAR],
    ['service-embed%401.2.3.js', SCRIPT, YEAR],
    ['service-embed-charts-1.2.3-1a2b3c4d.js', CHARTS, YEAR],
  ])(
    '%s may be loaded by any page, also an isolated one, and is cached as long as it stays the same',
    async (path, text, kept) => {
      const { status, headers, body } = await get(path);
      expect([status, body.toString()]).toEqual([200, text]);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': kept,
        vary: 'Accept-Encoding',
      });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['gzip;q=0', undefined, (body: Buffer) => body],
  ])(
    'for the accepted encodings %s it is sent as %s, and decompresses to the same bytes',
    async (accepted, encoding, unpack) => {
      const { headers, body } = await get('service-embed@1.2.3.js', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(unpack(body).toString()).toBe(SCRIPT);
      expect(Number(headers['content-length'])).toBe(body.length);
    },
  );

  test('with its ETag the documented address answers 304, and another release of equal size and time is sent again', async () => {
    const first = await get('service-embed.js', { 'accept-encoding': 'br' });
    const plain = await get('service-embed.js');
    expect(plain.headers.etag).not.toBe(first.headers.etag);
    const again = () => get('service-embed.js', { 'accept-encoding': 'br', 'if-none-match': first.headers.etag ?? '' });
    const unchanged = await again();
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    const file = join(folder, 'service-embed.js.br');
    const [{ atime, mtime }, content] = [statSync(file), readFileSync(file)];
    const other = join(folder, 'other');
    writeFileSync(other, brotliCompressSync(SCRIPT.replace('entry', 'Entry')).subarray(0, content.length));
    truncateSync(other, content.length);
    utimesSync(other, atime, mtime);
    renameSync(other, file);
    expect((await again()).status).toBe(200);
    writeFileSync(file, content);
  });

  test('HEAD has the headers and no body', async () => {
    const { status, headers, body } = await get('service-embed.js', {}, 'HEAD');
    expect([status, body.length, headers['content-length']]).toEqual([200, 0, String(SCRIPT.length)]);
  });

  test.each(['service-embed@9.9.9.js', 'service-embed@latest.js', 'service-embed-charts-1.2.3-00000000.js'])(
    '%s, which is not here, is a 404 with the existing version, and is not cached',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
        404,
        'no-store',
        '*',
      ]);
      const { message, available } = JSON.parse(body.toString());
      expect(message).toContain(`There is no ${path} here: this service has version 1.2.3`);
      expect(available).toEqual(['service-embed@1.2.3.js', 'service-embed.js']);
    },
  );

  test('the package is a compressed file that never changes', async () => {
    const { status, headers, body } = await get('service-embed-1.2.3.tgz', { 'accept-encoding': 'gzip, br' });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/gzip', YEAR]);
    expect([headers['content-encoding'], body.toString()]).toEqual([undefined, 'a package']);
  });

  test.each(['service-embed-other.txt', 'service-embed.jsx', 'service-embed@../../etc/passwd.js'])(
    '%s is not one of these files',
    async (path) => {
      expect((await get(path)).headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});

test('a page of the service is revalidated by its ETag, and no page of another origin may read it', async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>home</title>');
  const { headers } = await get('');
  expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect((await get('', { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>HOME</title>');
  expect((await get('', { 'if-none-match': headers.etag ?? '' })).status).toBe(200);
});

test('the hashes are served to any page, by file', async () => {
  const { headers, body } = await get('service-embed.integrity.json');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  const { version, script, integrity } = JSON.parse(body.toString());
  expect([version, script]).toEqual(['1.2.3', 'service-embed@1.2.3.js']);
  const { subtle } = globalThis.crypto;
  const hash = Buffer.from(await subtle.digest('SHA-384', Buffer.from(CHARTS))).toString('base64');
  expect(integrity['service-embed-charts-1.2.3-1a2b3c4d.js']).toBe(`sha384-${hash}`);
  expect(integrity['service-embed.js']).toBe(integrity[script]);
});
