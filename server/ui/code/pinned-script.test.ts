import { expect, test } from 'vitest';
import { parsePinnedScript } from './pinned-script.ts';

const written = {
  version: '1.2.3',
  script: 'service-embed@1.2.3.js',
  integrity: { 'service-embed@1.2.3.js': 'sha384-a', 'service-embed-charts-1.2.3.js': 'sha384-b' },
};

test('the published version is read with its hash', () => {
  expect(parsePinnedScript(written)).toEqual({
    version: '1.2.3',
    script: 'service-embed@1.2.3.js',
    integrity: 'sha384-a',
  });
});

test.each([
  ['without the hash of its script', { ...written, integrity: {} }],
  ['without a version', { ...written, version: undefined }],
  ['that is an error', { error: 'NOT_FOUND' }],
])('a list %s is refused', (_, json) => {
  expect(() => parsePinnedScript(json)).toThrow();
});
