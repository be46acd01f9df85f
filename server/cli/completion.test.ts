import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { service } from './testing/command.ts';

/** Completes the last of the words in bash, as its readline does. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await service(['completion', 'bash']);
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${out}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _service; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  [['service', 'doc'], ['doctor']],
  [['service', 'user', 'pass'], ['passwd']],
  [['service', 'api-key', 'create', '--sc'], ['--scope']],
  [
    ['service', 'api-key', 'create', '--scope', 'd'],
    ['documents', 'data'],
  ],
  [['service', 'completion', '--h'], ['--help']],
])('bash completes %j with %j', async (words, candidates) => {
  expect(await completed(...words)).toEqual(candidates);
});

test.each(['zsh', 'fish'])('the script for %s has every command', async (shell) => {
  const { out, code } = await service(['completion', shell]);
  expect(code).toBe(0);
  for (const command of ['start', 'doctor', 'export', 'completion']) expect(out).toContain(command);
});
