import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test("no page says `npx service`, because outside of a clone npm would run somebody else's package", () => {
  const pattern = ['npx', 'service\\b'].join(' +(-y +|--yes +)?');
  const { status, stdout } = spawnSync(
    'git',
    ['grep', '-nE', pattern, '--', '.', ':!scripts/documented-commands.test.ts'],
    {
      encoding: 'utf8',
      timeout: 300_000,
    },
  );
  expect(stdout).toBe('');
  // 1: git found no match.
  expect(status).toBe(1);
});
