import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('nothing says `npx service`: outside of a clone npm would look up the package of a stranger', () => {
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
  // 1: git has searched and found nothing.
  expect(status).toBe(1);
});
