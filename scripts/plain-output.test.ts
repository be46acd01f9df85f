import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('tests with piped output write no colour codes, whatever the environment sets', () => {
  const { NO_COLOR: _, ...env } = process.env;
  const run = ['node_modules/vitest/vitest.mjs', 'run', 'router/without-nulls.test.ts'];
  const program = `
    await import('./scripts/plain-output.ts');
    const { spawnSync } = await import('node:child_process');
    spawnSync(process.execPath, ${JSON.stringify(run)}, { stdio: 'inherit' });`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...env, FORCE_COLOR: '1' } },
  );
  expect(stdout).toContain('router/without-nulls.test.ts');
  expect(stdout + stderr).not.toContain('\u001b[');
});
