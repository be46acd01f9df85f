/**
 * Puts the demo into a home: the generated warehouse, its semantic model and cubes, their descriptors, saved queries
 * and a dashboard. `service start --demo` runs it. Existing files stay unchanged.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { ConflictError } from '../router/errors.ts';
import type { OnProgress } from './warehouse/generate.ts';

/** The folders for the parts of the demo, each absolute or relative to the working directory. */
export interface StageTarget {
  /** Receives the warehouse `demo-shop.duckdb`. */
  readonly dataDirectory: string;
  /** Receives `demo.sds` with the model `shop.yaml`, and `demo-cubes.sds` with the cubes `shop.xml`. */
  readonly datasourcesDirectory: string;
  /** Receives `shared/demo/…`. */
  readonly repositoryDirectory: string;
  /** The folder `demo/content` of the sources, or its copy beside the built product. */
  readonly contentDirectory: string;
  /** Rows of the sales fact; default one million. */
  readonly factRows?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Ends the staging and removes partial files. */
  readonly signal?: AbortSignal | undefined;
}

const WAREHOUSE_FILE = 'demo-shop.duckdb';
/** Age in milliseconds from which a partial file is a leftover of a run that died. */
const LEFTOVER_AFTER = 3_600_000;

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns whether a file is a DuckDB file: these contain `DUCK` after the checksum of their first block. */
async function isDuckDB(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 && buffer.toString('latin1', 8) === 'DUCK';
  } finally {
    await handle.close();
  }
}

/**
 * Creates `file` by writing a neighbour and renaming it, so that `file` is never incomplete. Returns false where it
 * already exists.
 */
async function makeOnce(file: string, write: (partial: string) => Promise<void>): Promise<boolean> {
  if (await exists(file)) return false;
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  try {
    await write(partial);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}.wal`, { force: true });
    await rm(`${partial}.tmp`, { force: true, recursive: true });
  }
  return true;
}

/** Removes the partial files of runs that died. A living run still writes its own. */
async function removeLeftovers(directory: string): Promise<void> {
  if (!(await exists(directory))) return;
  for (const name of await readdir(directory, { recursive: true })) {
    const [, pid] = /\.(\d+)\.partial(?:\.wal|\.tmp)?$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path);
    // After a restart another process may have the number; in a container it always does.
    if (!isAlive(Number(pid)) || Date.now() - mtimeMs > LEFTOVER_AFTER)
      await rm(path, { force: true, recursive: true });
  }
}

/** Returns whether another process with this number runs. This process has not started a file yet. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string): string => text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character);

function descriptor(warehouse: string, model: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<dataSource>
  <id>demo</id>
  <name>demo</name>
  <type>SEMANTIC</type>
  <semanticYaml>${xml(model)}</semanticYaml>
  <location>jdbc:duckdb:${xml(warehouse)}</location>
  <schema>shop</schema>
  <advanced>false</advanced>
  <enabled>true</enabled>
</dataSource>
`;
}

function cubeDescriptor(warehouse: string, schema: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<dataSource>
  <id>demo-cubes</id>
  <name>demo-cubes</name>
  <type>OLAP</type>
  <cubeSchema>${xml(schema)}</cubeSchema>
  <location>jdbc:duckdb:${xml(warehouse)}</location>
  <enabled>true</enabled>
</dataSource>
`;
}

/**
 * Writes the demo's descriptor. Both addresses are relative, to the home and to the descriptor's own folder, so that a
 * home can be moved.
 */
function demoDescriptor(
  target: StageTarget,
  warehouse: string,
  document: string,
  write: (warehouse: string, document: string) => string,
): string {
  const datasources = resolve(target.datasourcesDirectory);
  return write(relative(dirname(datasources), warehouse), relative(datasources, document));
}

/**
 * Stages the missing files and returns those that it wrote, in order. A descriptor comes last, so that a watcher of the
 * folder finds the warehouse and the documents in place.
 *
 * @throws ConflictError where the warehouse's name belongs to another kind of file
 */
export async function stageDemo(target: StageTarget): Promise<{ readonly staged: readonly string[] }> {
  const warehouse = resolve(target.dataDirectory, WAREHOUSE_FILE);
  const model = resolve(target.datasourcesDirectory, 'shop.yaml');
  const cubes = resolve(target.datasourcesDirectory, 'shop.xml');
  const content = resolve(target.contentDirectory);
  const staged: string[] = [];
  const stage = async (file: string, write: (partial: string) => Promise<void>): Promise<void> => {
    target.signal?.throwIfAborted();
    if (await makeOnce(file, write)) staged.push(file);
  };
  const copy = (from: string, to: string): Promise<void> =>
    stage(to, async (partial) => writeFile(partial, await readFile(from)));

  for (const folder of [target.dataDirectory, target.datasourcesDirectory, join(target.repositoryDirectory, 'shared')])
    await removeLeftovers(folder);
  await stage(warehouse, async (partial) => {
    // Imported here, so that only the first start loads the generator and its database.
    const { DEFAULT_FACT_ROWS, DEFAULT_SEED, generateWarehouse } = await import('./warehouse/generate.ts');
    await generateWarehouse(partial, {
      seed: DEFAULT_SEED,
      factRows: target.factRows ?? DEFAULT_FACT_ROWS,
      onProgress: target.onProgress,
      signal: target.signal,
    });
  });
  if (!(await isDuckDB(warehouse))) {
    throw new ConflictError(
      `The demo keeps its warehouse in ${WAREHOUSE_FILE}, but that file is not a DuckDB database. Move it away and start again.`,
    );
  }

  const repository = join(content, 'repository');
  for (const entry of await readdir(repository, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    await copy(from, join(resolve(target.repositoryDirectory), from.slice(repository.length)));
  }
  await copy(join(content, 'models', 'shop.yaml'), model);
  await copy(join(content, 'models', 'shop.xml'), cubes);
  await stage(resolve(target.datasourcesDirectory, 'demo-cubes.sds'), (partial) =>
    writeFile(partial, demoDescriptor(target, warehouse, cubes, cubeDescriptor)),
  );
  await stage(resolve(target.datasourcesDirectory, 'demo.sds'), (partial) =>
    writeFile(partial, demoDescriptor(target, warehouse, model, descriptor)),
  );
  return { staged };
}
