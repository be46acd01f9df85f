/**
 * Completes `package-lock.json` with the platform packages of optional dependencies that the registry at hand does not
 * have (binaries for other systems). Without their entries `npm ci` calls the lock file out of step, here and
 * everywhere else; with them, the systems they are for install them as usual. Run after every `npm install`:
 *
 *   npx tsx scripts/lock.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';

interface Entry {
  readonly version?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly peer?: true;
  readonly link?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, Entry> };
const added: string[] = [];

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolved(path, name) || !/^[~^]?\d/.test(range)) continue;
    const version = range.replace(/^[~^]/, '');
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
    };
    added.push(`${name}@${version}`);
  }
}

const packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
console.log(added.length === 0 ? 'The lock file was complete.' : `Added ${added.length} platform packages.`);

/** Returns whether the lock file has a package that `from` depends on, in its own folder or one above. */
function resolved(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}

/** Returns the system of a platform package, from its name. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = [
    'android',
    'darwin',
    'linux',
    'win32',
    'freebsd',
    'openbsd',
    'netbsd',
    'openharmony',
    'aix',
    'sunos',
  ].find((word) => words.includes(word));
  const cpu = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el'].find((word) =>
    words.includes(word),
  );
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : undefined;
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc: [libc] } : {}) };
}
