import { describe, expect, it } from 'vitest';
import { parseRepositoryPath } from './path.ts';

describe('a repository path', () => {
  it.each([
    ['shared/sales.service', { kind: 'shared' }],
    ['shared/demo/Größe 2026 (final).service', { kind: 'shared' }],
    ['shared/a..b/c.service', { kind: 'shared' }],
    ['homes/ana/q.service', { kind: 'home', user: 'ana' }],
    ['homes/ana@example.org/deep/er/q.servicedash', { kind: 'home', user: 'ana@example.org' }],
    ['shared/%2e%2e/x.service', { kind: 'shared' }],
  ])('%s has its segments and its area', (path, area) => {
    expect(parseRepositoryPath(path)).toEqual({ segments: path.split('/'), area });
  });

  it.each([
    ['nothing', ''],
    ['a slash alone', '/'],
    ['an absolute path', '/etc/passwd'],
    ['a leading slash', '/shared/x.service'],
    ['the parent', '..'],
    ['a climb', 'shared/../../etc/passwd'],
    ['a climb within', 'shared/a/../b.service'],
    ['a climb at the end', 'shared/..'],
    ['a climb out of a home', 'homes/ana/../bob/x.service'],
    ['the same folder', 'shared/./x.service'],
    ['an empty segment', 'shared//x.service'],
    ['a trailing slash', 'shared/x.service/'],
    ['a backslash climb', 'shared/..\\..\\x.service'],
    ['a backslash', 'shared\\x.service'],
    ['a drive', 'C:/shared/x.service'],
    ['a drive inside', 'shared/C:x.service'],
    ['an alternate stream', 'shared/x.service:hidden'],
    ['a NUL', 'shared/x.service\0.png'],
    ['a line break', 'shared/x\n.service'],
    ['a C1 control character', 'shared/x\u0085.service'],
    ['a bidirectional override', 'shared/x\u202eecivres.service'],
    ['a lone surrogate', 'shared/x\ud800.service'],
    ['a hidden file', 'shared/.service'],
    ['a hidden folder', 'shared/.git/config.service'],
    ['a dot at the end', 'shared/x.service.'],
    ['three dots', 'shared/.../x.service'],
    ['a space at the end', 'shared/.. /x.service'],
    ['a decomposed letter', 'shared/Gro\u0308ße.service'],
    ['an area of another case', 'Shared/x.service'],
    ['an area of another name', 'tenants/t/shared/x.service'],
    ['an area alone', 'shared'],
    ['a file beside the homes', 'homes/x.service'],
    ['a home alone', 'homes/ana'],
    ['too many segments', `shared/${'a/'.repeat(15)}x.service`],
    ['a segment too long', `shared/${'ä'.repeat(101)}`],
    ['a path too long', `shared/${`${'a'.repeat(150)}/`.repeat(7)}x.service`],
  ])('is refused with %s', (_, path) => {
    expect(parseRepositoryPath(path)).toEqual({ problem: expect.stringMatching(/^.+\.$/) });
  });
});
