import compression from 'compression';
import express from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { isLong, jsonPieces, jsonText } from '../../router/json-pieces.ts';
import { keepBytes } from '../../router/kept-bytes.ts';
import { type OpenPort, openPort } from './port.ts';
import { sendJson } from './send-json.ts';

let port: OpenPort | undefined;
afterEach(async () => {
  await port?.stop(0);
  port = undefined;
});

const record = (at: number) => ({ city: `Città "${at}"`, net: { value: at / 3, formatted: `${at}` }, none: null });
const records = (count: number) => Array.from({ length: count }, (_, at) => record(at));

describe('an answer with an ETag', () => {
  test.each([
    ['short', { records: records(3) }, undefined],
    ['kept', { records: records(3) }, keepBytes],
  ])('that is %s is sent once to a caller that has it', async (_, body, keep) => {
    keep?.(body, () => undefined);
    let answer: object = body;
    const app = express()
      .disable('etag')
      .use(compression())
      .get('/', (request, response) => void sendJson(request, response, answer, { isTagged: true }));
    port = await openPort('127.0.0.1', 0);
    port.serve(app);
    const read = (headers = {}) => fetch(`http://127.0.0.1:${port?.port}/`, { headers });
    const first = await read();
    expect([first.status, await first.json()]).toEqual([200, body]);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const again = await read({ 'if-none-match': tag, 'accept-encoding': encoding });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    const ofList = await read({ 'if-none-match': `"another", ${tag.slice(2)}` });
    expect(ofList.status).toBe(304);
    answer = { records: records(4) };
    const changed = await read({ 'if-none-match': tag });
    expect([changed.status, await changed.json()]).toEqual([200, answer]);
  });
});

describe('an answer in pieces', () => {
  test.each([
    ['records', { queryId: 'a', columns: [{ key: 'city' }], records: records(1_000), meta: { rowCount: 1_000 } }],
    ['nothing', {}],
    ['a list', records(300)],
    ['a wide matrix', { body: [Array.from({ length: 500 }, (_, at) => ({ raw: at }))] }],
    ['absent members', { a: undefined, records: [undefined, ...records(200)], b: undefined, c: null }],
    ['an empty list beside a long one', { e: [], o: {}, records: records(101) }],
    ['dates', { at: new Date(0), records: records(101) }],
    [
      'long lists among short entries',
      { parts: [...records(150), { inner: records(120) }, ...records(3), [1, 2], 'a'] },
    ],
    ['long texts', Array.from({ length: 120 }, (_, at) => ({ at, text: 'é"'.repeat(at * 40) }))],
  ])('of %s is what JSON.stringify writes', async (_, value) => {
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
    expect(await jsonText(value)).toBe(JSON.stringify(value));
  });

  test('is only for long answers', () => {
    expect(isLong({ a: records(100) })).toBe(false);
    expect(isLong({ a: records(101) })).toBe(true);
    expect(isLong({ a: { b: records(101) } })).toBe(true);
  });

  test('of 100,000 rows does not block the event loop, and arrives complete', async () => {
    const body = { records: records(100_000) };
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const app = express()
      .use(compression())
      .get('/', (request, response) => void sendJson(request, response, body));
    port = await openPort('127.0.0.1', 0);
    port.serve(app);
    const url = `http://127.0.0.1:${port.port}/`;
    // Turns of the event loop during the answer; written at once, there would be none before the first byte.
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns++;
      if (!isOver) setImmediate(others);
    };
    const before = performance.now();
    const whole = JSON.stringify(body);
    const atOnce = performance.now() - before;
    setImmediate(others);
    const text = await jsonText(body);
    const turnsOfText = turns;
    const response = await fetch(url);
    let length = 0;
    for await (const chunk of response.body ?? []) length += chunk.length;
    isOver = true;
    process.off('warning', warned);
    expect(warnings).toEqual([]);
    expect(text).toBe(whole);
    expect(length).toBe(Buffer.byteLength(whole));
    // The writer yields every 10 ms or so, so a busy machine fits fewer pieces into a turn.
    expect(turnsOfText).toBeGreaterThan(Math.min(5, atOnce / 50));
  });
});
