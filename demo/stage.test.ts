import { readdirSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { elementsOf, readElementText, readXml } from '../plugins/xml/index.ts';
import { ConflictError } from '../router/errors.ts';
import { type StageTarget, stageDemo } from './stage.ts';
import { openWarehouse, temporaryDirectory } from './testing/warehouse.ts';

const progress: number[] = [];

async function stageInto(home: string, signal?: AbortSignal, onStep = () => {}): Promise<readonly string[]> {
  const target: StageTarget = {
    dataDirectory: join(home, 'data'),
    datasourcesDirectory: join(home, 'datasources'),
    repositoryDirectory: join(home, 'repository'),
    contentDirectory: fileURLToPath(new URL('content', import.meta.url)),
    factRows: 1200,
    onProgress: (done, total) => {
      progress.push(done / total);
      onStep();
    },
    signal,
  };
  return (await stageDemo(target)).staged.map((file) => relative(home, file));
}

async function listFiles(home: string): Promise<readonly string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(home, join(entry.parentPath, entry.name)));
}

async function readMembers(descriptor: string): Promise<Readonly<Record<string, string>>> {
  const root = readXml(await readFile(descriptor, 'utf8'), 10);
  if ('refused' in root) throw new Error(root.message);
  return Object.fromEntries(elementsOf(root).map((element) => [element.name, readElementText(element).text]));
}

describe('staging the demo into an empty home', () => {
  let home: string;
  let files: readonly string[];
  beforeAll(async () => {
    home = join(await temporaryDirectory(), 'a home & <more>');
    files = await stageInto(home);
  });
  afterAll(async () => rm(join(home, '..'), { recursive: true }));

  test('writes the warehouse, the documents and last the descriptor, and leaves no partial file', async () => {
    expect(files[0]).toBe('data/demo-shop.duckdb');
    expect(files.slice(-4)).toEqual([
      'datasources/shop.yaml',
      'datasources/shop.xml',
      'datasources/demo-cubes.sds',
      'datasources/demo.sds',
    ]);
    expect(files).toContain('repository/shared/demo/sales-by-region.service');
    expect(files).toContain('repository/shared/demo/shop-overview.servicedash');
    expect([...(await listFiles(home))].sort()).toEqual([...files].sort());
  });

  test('writes a descriptor that points from the home at the warehouse and at the model beside it, whatever characters the home has', async () => {
    expect(await readMembers(join(home, 'datasources/demo.sds'))).toEqual({
      id: 'demo',
      name: 'demo',
      type: 'SEMANTIC',
      semanticYaml: 'shop.yaml',
      location: 'jdbc:duckdb:data/demo-shop.duckdb',
      schema: 'shop',
      advanced: 'false',
      enabled: 'true',
    });
    expect(await readMembers(join(home, 'datasources/demo-cubes.sds'))).toMatchObject({
      type: 'OLAP',
      cubeSchema: 'shop.xml',
      location: 'jdbc:duckdb:data/demo-shop.duckdb',
    });
    const warehouse = await openWarehouse(join(home, 'data/demo-shop.duckdb'));
    expect(await warehouse.number('SELECT count(*) FROM sales')).toBe(1200);
    warehouse.close();
  });

  test('reports its progress from 0 to 1, and it never decreases', () => {
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((left, right) => left - right));
  });

  test("does nothing the second time, and keeps the user's edits", async () => {
    const model = join(home, 'datasources/shop.yaml');
    await writeFile(model, '# mine\n');
    const before = await stat(join(home, 'data/demo-shop.duckdb'));
    expect(await stageInto(home)).toEqual([]);
    expect(await readFile(model, 'utf8')).toBe('# mine\n');
    expect((await stat(join(home, 'data/demo-shop.duckdb'))).mtimeMs).toBe(before.mtimeMs);
  });

  test('restores missing files, and deletes the partial files of a killed run', async () => {
    const copy = `${home} copy`;
    await cp(home, copy, { recursive: true });
    const leftover = join(copy, 'data/demo-shop.duckdb.1.partial');
    await writeFile(leftover, 'half');
    await utimes(leftover, 0, 0);
    await rm(join(copy, 'repository/shared/demo/top-products.service'));
    expect(await stageInto(copy)).toEqual(['repository/shared/demo/top-products.service']);
    expect(await readdir(join(copy, 'data'))).toEqual(['demo-shop.duckdb']);
  });
});

describe('where the name of the warehouse is taken', () => {
  let home: string;
  beforeEach(async () => {
    home = await temporaryDirectory();
  });
  afterEach(async () => rm(home, { recursive: true }));

  test('a file of another kind is refused and not changed', async () => {
    await mkdir(join(home, 'data'));
    await writeFile(join(home, 'data/demo-shop.duckdb'), 'letters to my aunt');
    await expect(stageInto(home)).rejects.toThrow(ConflictError);
    expect(await readFile(join(home, 'data/demo-shop.duckdb'), 'utf8')).toBe('letters to my aunt');
  });
});

describe('staging that was stopped', () => {
  let home: string;
  beforeEach(async () => {
    home = await temporaryDirectory();
  });
  afterEach(async () => rm(home, { recursive: true }));

  test('leaves no partial file', async () => {
    const stopping = new AbortController();
    let partialFiles = 0;
    const staging = stageInto(home, stopping.signal, () => {
      partialFiles += readdirSync(join(home, 'data')).filter((file) => file.includes('partial')).length;
      if (partialFiles > 0) stopping.abort(new Error('enough'));
    });
    await expect(staging).rejects.toThrow('enough');
    expect(partialFiles).toBeGreaterThan(0);
    expect((await listFiles(home)).filter((file) => file.includes('partial'))).toEqual([]);
  });

  test('by a kill has its partial files removed at the next start, and the files of a running process stay', async () => {
    // No process has this number: Linux assigns none above 2^22.
    const dead = ['data/demo-shop.duckdb.99999999.partial', 'data/demo-shop.duckdb.99999999.partial.wal'];
    const others = [
      'repository/shared/demo/sales-by-region.service.99999999.partial',
      'datasources/demo.sds.99999999.partial',
    ];
    const living = `data/demo-shop.duckdb.${process.ppid}.partial`;
    for (const file of [...dead, ...others, living]) {
      await mkdir(join(home, file, '..'), { recursive: true });
      await writeFile(join(home, file), 'half');
    }
    await stageInto(home);
    expect((await listFiles(home)).filter((file) => file.includes('partial'))).toEqual([living]);
  });
});
