import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

const ROOT = 'https://analytics.example.com';
const BELOW = `${ROOT}/analytics`;

describe('the return path after sign-in', () => {
  it.each([
    ['/ui/?tab=share#x', '/ui/?tab=share#x'],
    ['/ui/view/?path=a%2Fb', '/ui/view/?path=a%2Fb'],
    ['/ui/../ui/./view/', '/ui/view/'],
    ['/ui/a b', '/ui/a%20b'],
    ['/elsewhere.example', '/elsewhere.example'],
    ['/\\/elsewhere', '/ui/'],
    ['/./\\elsewhere', '/ui/'],
    ['/ui/?next=//elsewhere', '/ui/?next=//elsewhere'],
  ])('to %j is %j', (text, path) => {
    expect(returnPath(text, ROOT)).toBe(path);
  });

  it.each([
    '/.//elsewhere',
    '/./\\elsewhere',
    '/..//elsewhere',
    '/%2e//elsewhere',
    '/%2E%2e//elsewhere',
    '/ui/..//elsewhere',
    '/ui/%2e%2e//elsewhere',
    '//elsewhere',
    '///elsewhere',
    '/\\elsewhere',
    '/\t/elsewhere',
    '/.\n//elsewhere',
    '/\r.\t//elsewhere',
    '/%2felsewhere',
    '/%5Celsewhere',
    '/.%2f%2felsewhere',
    '//',
    '//user@elsewhere:1/',
    'https://elsewhere/',
    'javascript:alert(1)',
    ' //elsewhere',
    '\u0000//elsewhere',
    '',
    `/${'a'.repeat(2_000)}`,
  ])('stays on the site for %j', (text) => {
    expect(returnPath(text, ROOT)).toBe('/ui/');
    expect(returnPath(text, BELOW)).toBe('/analytics/ui/');
  });

  it.each([
    '/',
    '/ui/',
    '/analytics',
    '/analyticsx/ui/',
    '/Analytics/ui/',
    '/analytics/../ui/',
    '/analytics/%2e%2e/admin',
    '/analytics/..%2fadmin',
    '/analytics/..\\admin',
  ])('stays below the base path for %j', (text) => {
    expect(returnPath(text, BELOW)).toBe('/analytics/ui/');
  });

  it('keeps a page below the base path', () => {
    expect(returnPath('/analytics/ui/view/?path=x#y', BELOW)).toBe('/analytics/ui/view/?path=x#y');
    expect(returnPath('/analytics//elsewhere', BELOW)).toBe('/analytics//elsewhere');
  });

  it('stays below the base path for any text, as a browser resolves the redirect', () => {
    const pieces = [
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      '\0',
      '@',
      ':',
      '?',
      '#',
      'ui',
      'analytics',
      'elsewhere',
      ' ',
      'é',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
        fc.constantFrom(ROOT, BELOW),
        (text, publicUrl) => {
          const landed = new URL(returnPath(text, publicUrl), `${publicUrl}/login/oidc/callback`);
          expect(landed.origin).toBe(ROOT);
          expect(`${landed.pathname}`.startsWith(new URL(`${publicUrl}/`).pathname)).toBe(true);
          expect(landed.pathname.startsWith('//')).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
