import { connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenPort, openPort } from './port.ts';

const MAX_HEADER_BYTES = 32_768;

let port: OpenPort;
beforeAll(async () => {
  port = await openPort('127.0.0.1', 0, '', MAX_HEADER_BYTES);
  const app = express();
  app.use(express.text({ type: () => true }));
  app.use((request, response) => {
    response.json({ path: request.path });
  });
  port.serve(app);
});
afterAll(() => port.stop(0));

interface Answered {
  readonly status: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
  readonly body: any;
}

/** Sends bytes unchanged, as fast as possible, and returns the first answer once the server closes the connection. */
function send(...parts: readonly (string | Buffer)[]): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(port.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      const [head = '', body = ''] = text.split('\r\n\r\n');
      if (text === '') reject(new Error('the connection was closed without an answer'));
      else
        resolve({
          status: Number(head.split(' ')[1]),
          type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
          body: JSON.parse(body),
        });
    });
    for (const part of parts) socket.write(part);
  });
}

const HOST = 'Host: localhost\r\nConnection: close\r\n';

describe('a request that cannot be parsed is refused as JSON with an explanation', () => {
  test.each([
    [
      'a header beyond the limit',
      `GET / HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(33_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['an address beyond the limit', `GET /${'x'.repeat(33_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['an address of megabytes', `GET /${'x'.repeat(4_000_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'a thousand long headers',
      `GET / HTTP/1.1\r\n${HOST}${`X: ${'x'.repeat(5_000)}\r\n`.repeat(1_000)}\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['no HTTP at all', 'hello\r\n\r\n', 501, 'NOT_IMPLEMENTED'],
    ['a line of other bytes', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x0d, 0x0a]), 501, 'NOT_IMPLEMENTED'],
    ['a method that HTTP has not', `BREW /tea HTTP/1.1\r\n${HOST}\r\n`, 501, 'NOT_IMPLEMENTED'],
    ['the method CONNECT', `CONNECT localhost:1 HTTP/1.1\r\n${HOST}\r\n`, 501, 'NOT_IMPLEMENTED'],
    ['HTTP/3 on this connection', `GET / HTTP/3.0\r\n${HOST}\r\n`, 505, 'HTTP_VERSION_NOT_SUPPORTED'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'HTTP_VERSION_NOT_SUPPORTED'],
    ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['control characters in a header', `GET / HTTP/1.1\r\n${HOST}X: a\u0001b\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    ['a length that is no number', `POST / HTTP/1.1\r\n${HOST}Content-Length: many\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'a chunk that is none',
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'extensions of chunks beyond their limit',
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
      413,
      'BODY_TOO_LARGE',
    ],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'an expectation that nobody serves',
      `POST / HTTP/1.1\r\n${HOST}Expect: tea\r\nContent-Length: 0\r\n\r\n`,
      417,
      'EXPECTATION_FAILED',
    ],
  ])('%s', async (_, bytes, status, error) => {
    const answer = await send(bytes);
    expect(answer).toEqual({
      status,
      type: 'application/json; charset=utf-8',
      body: { error, message: expect.stringMatching(/^[A-Z].{20,}\.$/) },
    });
  });

  test('the refusal names the limit', async () => {
    const { body } = await send(`GET /${'x'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`);
    expect(body.message).toContain('at most 32768 bytes');
  });
});

describe('a request that can be parsed is answered', () => {
  test.each([
    ['an address of 30,000 bytes', `GET /${'x'.repeat(30_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['headers of 30,000 bytes', `GET /x HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(30_000)}\r\n\r\n`],
    ['HTTP/1.0 without a host', 'GET /x HTTP/1.0\r\n\r\n'],
    ['an offer to upgrade', `GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`],
    ['a method of WebDAV', `PROPFIND /x HTTP/1.1\r\n${HOST}\r\n`],
  ])('%s', async (_, bytes) => {
    expect(await send(bytes)).toMatchObject({ status: 200, body: { path: expect.stringMatching(/^\/x/) } });
  });

  test("a request after a refused one does not receive the refused one's answer", async () => {
    const { status, body } = await send(
      `GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `BREW / HTTP/1.1\r\n${HOST}\r\n`,
    );
    expect([status, body.path]).toEqual([200, '/first']);
  });
});
