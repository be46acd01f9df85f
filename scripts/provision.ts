/**
 * Finds what tests need beyond Node: a Chromium to drive. (PostgreSQL comes from npm, or from a server given by
 * SERVICE_TEST_POSTGRES_URL.) Where Debian's package manager and root are at hand it is installed, saying so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export type Found =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly advice: string };

/** The browser to test with: SERVICE_CHROMIUM, else one of the usual places, else Debian's package. */
export function provideChromium(): Found {
  const named = process.env.SERVICE_CHROMIUM;
  if (named !== undefined && named !== '') {
    return existsSync(named)
      ? { found: true, path: named }
      : { found: false, advice: `SERVICE_CHROMIUM names ${named}, which is not there.` };
  }
  const installed = CANDIDATES.find((path) => existsSync(path));
  if (installed !== undefined) return { found: true, path: installed };
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('No Chromium found: installing the Debian package chromium …');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const now = CANDIDATES.find((path) => existsSync(path));
    if (now !== undefined) return { found: true, path: now };
  }
  return {
    found: false,
    advice: 'No Chromium found: install one (Debian: apt-get install chromium) or name one in SERVICE_CHROMIUM.',
  };
}
