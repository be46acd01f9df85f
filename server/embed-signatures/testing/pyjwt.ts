/** Finds PyJWT, by which a documented backend signs tokens in Python. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), '.cache/pyjwt');
const VERSION = '2.10.1';

export const PYJWT_INSTALL = [
  'python3',
  ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action=ignore'],
  ...['--target', FOLDER, `PyJWT==${VERSION}`],
] as const;

/** Explains in one line why PyJWT is missing; `undefined` where it is available. */
export function pyJwtMissing(): string | undefined {
  return spawnSync('python3', ['-c', 'import jwt'], { env: withPyJwt() }).status === 0
    ? undefined
    : 'no PyJWT here: with Python and pip, `npm test` installs it';
}

/** Returns the variables of a process in which Python finds PyJWT. */
export function withPyJwt(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: FOLDER };
}
