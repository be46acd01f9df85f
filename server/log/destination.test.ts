import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { textDestination } from './destination.ts';
import { openLog } from './log.ts';

function logged(write: (log: ReturnType<typeof openLog>) => void): string {
  const text = new PassThrough({ encoding: 'utf8' });
  write(openLog('info', textDestination(text, false)));
  return String(text.read());
}

test('an entry for people is one line: time, level, message, fields', () => {
  const text = logged((log) => log.warn({ datasource: 'shop' }, 'cannot be read'));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: cannot be read \{"datasource":"shop"\}\n$/);
});

test('an entry for people shows where an error happened', () => {
  const text = logged((log) => log.error({ err: new Error('no such table') }, 'did not start'));
  expect(text).toContain('did not start');
  expect(text).toContain('Error: no such table\n');
  expect(text).toContain('destination.test.ts');
});

test('control characters of a text reach no terminal', () => {
  const text = logged((log) => {
    log.warn({ name: '\u001b[2J' }, 'a name \u001b[31m\rin red\nand another line');
    log.error({ err: new Error('\u001b]0;title\u0007') }, 'failed');
  });
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  expect(text).toContain('a name \\u001b[31m\\u000din red\\u000aand another line');
});
