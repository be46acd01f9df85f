import { expect, test } from 'vitest';
import { addressBelow, findBasePath, segmentsBelow } from './base-path.ts';

test.each([
  ['/ui/assets/start-1a.js', ''],
  ['/in/analytics/ui/assets/start-1a.js', '/in/analytics'],
  ['/ui/assets/ui/assets/start-1a.js', '/ui/assets'],
])('a script at %s is below "%s"', (script, basePath) => {
  expect(findBasePath(script)).toBe(basePath);
});

test.each([
  ['/ui/documents/', []],
  ['/ui/documents/shared', ['shared']],
  ['/ui/documents/shared/a%20b%2Fc/ui/', ['shared', 'a b/c', 'ui']],
  ['/ui/documents/100%', ['100%']],
  ['/ui/data/x', []],
])('the address %s has the segments %j', (pathname, segments) => {
  expect(segmentsBelow('/ui/documents/', pathname)).toEqual(segments);
});

test('an address is made of its segments', () => {
  expect(addressBelow('/ui/documents/', ['shared', 'a b/c?', 'ü'])).toBe('/ui/documents/shared/a%20b%2Fc%3F/%C3%BC');
});
