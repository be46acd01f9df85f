import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteShellWord, writeQuickStart } from './quick-start-commands.ts';

test.each(['plain', 'two words', "it's", '$(reboot)', '`id`', '"; rm -rf /; "', 'line\nbreak', '', '*', '~'])(
  'a shell reads %j as one word',
  (value) => {
    expect(execFileSync('sh', ['-c', `printf '[%s]' ${quoteShellWord(value)}`], { encoding: 'utf8' })).toBe(
      `[${value}]`,
    );
  },
);

const here = {
  origin: 'https://bi.example.com',
  user: 'ana',
  queryPath: 'shared/demo/sales-by-region.service',
} as const;

/** Returns the arguments of curl in a command: a shell runs it with a curl that prints them. */
function readCurlArguments(command: string): readonly string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; awk() { printf token-1; }; ${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('the first lists the models of this server and keeps the cookies', () => {
  expect(readCurlArguments(writeQuickStart(here)[0].text)).toEqual([
    '-u',
    'ana',
    '-c',
    'service-cookies.txt',
    'https://bi.example.com/rest/service/api/ai/semantic/models',
  ]);
});

test('the second sends the CSRF pair and a typed request', () => {
  const sent = readCurlArguments(writeQuickStart(here)[1].text);
  expect(sent).toContain('X-XSRF-TOKEN: token-1');
  expect(sent.slice(2, 4)).toEqual(['-b', 'service-cookies.txt']);
  expect(JSON.parse(sent[sent.indexOf('-d') + 1] ?? '')).toEqual({
    connection: 'demo',
    model: 'shop',
    rows: [{ dataset: 'stores', field: 'region' }],
    values: [{ metric: 'net_sales' }],
  });
  expect(sent.at(-1)).toBe('https://bi.example.com/rest/service/api/ai/semantic/query');
});

test('the second finds the CSRF token in a cookie jar as curl writes it', () => {
  const jar = '# Netscape HTTP Cookie File\nlocalhost\tFALSE\t/\tFALSE\t0\tXSRF-TOKEN\tabc.def\n';
  const awk = /\$\((awk .*?) service-cookies\.txt\)/.exec(writeQuickStart(here)[1].text)?.[1] ?? '';
  expect(execFileSync('sh', ['-c', awk], { encoding: 'utf8', input: jar })).toBe('abc.def\n');
});

test('the third asks for a token of a saved query', () => {
  const sent = readCurlArguments(writeQuickStart(here)[2].text);
  expect(JSON.parse(sent[sent.indexOf('-d') + 1] ?? '')).toEqual({
    resourceKind: 'query',
    resourcePath: 'shared/demo/sales-by-region.service',
    ttlHours: 24,
    label: 'quick start',
  });
  expect(sent.at(-1)).toBe('https://bi.example.com/rest/service/api/embed/tokens');
});

test('without the demo the placeholders are in capitals and are explained', () => {
  const [, query] = writeQuickStart({ ...here, queryPath: undefined });
  expect(query.text).toContain('"connection": "CONNECTION"');
  expect(query.note).toContain('Replace the words in capitals');
});
