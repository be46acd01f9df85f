import { expect, test } from 'vitest';
import { parseDatasources } from './datasource-entries.ts';

const datasource = (name: string, status: string, problems: readonly object[] = []) => ({
  id: name,
  name,
  type: 'SEMANTIC',
  enabled: true,
  status,
  problems,
  updatedAt: '2026-11-20T08:00:00.000Z',
});

test('the most urgent status comes first', () => {
  const entries = parseDatasources([
    datasource('off', 'DISABLED'),
    datasource('fine', 'READY'),
    datasource('old', 'STALE'),
    datasource('bad', 'BROKEN'),
  ]);
  expect(entries.map(({ name }) => name)).toEqual(['bad', 'old', 'fine', 'off']);
});

test('a problem may have a line', () => {
  const [entry] = parseDatasources([
    datasource('bad', 'BROKEN', [
      { message: 'No such field.', line: 12, severity: 'error' },
      { message: 'Unused.', severity: 'warning' },
    ]),
  ]);
  expect(entry?.problems).toEqual([
    { message: 'No such field.', line: 12, severity: 'error' },
    { message: 'Unused.', line: undefined, severity: 'warning' },
  ]);
});
