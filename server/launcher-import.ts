/** `service import`: makes a model from data, with the files, warehouses and folders of an installation. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSchema } from '../plugins/cube/index.ts';
import { compareTables } from '../plugins/data/index.ts';
import { parseDescriptor, readTextFile, takeBackLeft, writePrivately } from '../plugins/datasources/index.ts';
import {
  contradictionsOf,
  InferenceWork,
  makeModels,
  PUBLISHED_AS,
  placesFor,
  profileSchema,
  proposeByRules,
  tableName,
  withFindings,
  writeModels,
} from '../plugins/inference/index.ts';
import { ADMINISTRATOR_ROLE, type Scope, type TenantId } from '../router/capabilities/identity.ts';
import type { Warehouse, WarehouseAddress, Warehouses } from '../router/capabilities/warehouse.ts';
import { ServiceError } from '../router/errors.ts';
import { withOpenPassword, withSealedPassword } from '../router/sealed-password.ts';
import { DEFAULT_TENANT } from './identity/index.ts';
import { describeChanges, describeImport, type Imported } from './import-command/report.ts';
import { openSource, RefusedImport } from './import-command/source.ts';
import { warehousesOf } from './installation/existing-home.ts';
import { linkOptions } from './installation/link-options.ts';
import type { Setup } from './installation/setup.ts';
import { openLinks } from './links/open-links.ts';
import { openRepository } from './repository/index.ts';
import { placesOf, type TenantPlaces } from './tenants/tenant-folders.ts';
import { homeVault } from './vault/vault.ts';
import { openWarehouses } from './warehouse/index.ts';

export interface ImportRequest {
  /** Name of the existing tenant for the datasource. */
  readonly tenant: string;
  /** Files, links to files, or one JDBC URL. */
  readonly files: readonly string[];
  readonly name: string | undefined;
  /** Requires an import of the same name. */
  readonly isReplacement?: boolean;
  /** Replaces the data also where the model loses tables, columns or types. */
  readonly acceptsLosses?: boolean;
  readonly schema: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly onProgress: (done: number, total: number, what: string) => void;
}

export type ImportOutcome = Imported | { readonly refused: string };

const STEPS = 4;
/** Ten times the limit of a profile in the interface. */
const MAX_TABLES = 5_000;
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;
/** The tenant's name identifies its folders, so the id is not needed here. */
const FIRST = DEFAULT_TENANT as TenantId;

/** Imports into an installation, with or without a running server. */
export async function importInto(setup: Setup, request: ImportRequest): Promise<ImportOutcome> {
  const warehouses = openWarehouses({ ...warehousesOf(setup), statementTimeoutMs: 600_000, poolSize: 2 });
  try {
    const { files, release } = await localFiles(setup, request.files);
    try {
      const places = placesOf(setup.home, nameUnlessFirst(request.tenant));
      return await run(setup, { ...request, files }, places, warehouses);
    } finally {
      await release();
    }
  } catch (error) {
    if (error instanceof RefusedImport || error instanceof ServiceError) return { refused: error.message };
    throw error;
  } finally {
    await warehouses.close();
  }
}

/** Downloads the files behind links, each into a folder of its own, so that it keeps its name. */
async function localFiles(setup: Setup, files: readonly string[]) {
  const links = files.filter((each) => /^https?:\/\//i.test(each));
  if (links.length === 0) return { files, release: async () => undefined };
  const options = linkOptions(setup.config, setup.home);
  const fetched = await openLinks(options).fetch(links, undefined);
  const folder = join(options.directory, `links-${randomUUID()}`);
  const release = async () => {
    await rm(folder, { recursive: true, force: true });
    await fetched.release();
  };
  try {
    const pathByLink = new Map<string, string>();
    for (const [index, { path, name }] of fetched.files.entries()) {
      const own = join(folder, String(index));
      await mkdir(own, { recursive: true, mode: 0o700 });
      await rename(path, join(own, name));
      pathByLink.set(links[index] ?? '', join(own, name));
    }
    return { files: files.map((each) => pathByLink.get(each) ?? each), release };
  } catch (error) {
    await release();
    throw error;
  }
}

function nameUnlessFirst(tenant: string): string | undefined {
  return tenant === DEFAULT_TENANT ? undefined : tenant;
}

async function run(
  installation: Setup,
  request: ImportRequest,
  places: TenantPlaces,
  warehouses: Warehouses,
): Promise<Imported> {
  const home = { ...installation.home, datasources: places.datasources };
  const setup = { ...installation, home };
  const { log } = setup;
  const name = nameOf(request);
  // A tenant without files has no folder yet.
  await mkdir(home.datasources, { recursive: true, mode: 0o750 });
  const repository = await openRepository({ directory: home.repository, defaultTenant: FIRST });
  const importer: Scope = { tenant: request.tenant as TenantId, user: 'import', roles: [ADMINISTRATOR_ROLE] };
  const publicationPlaces = placesFor(home.datasources, repository, importer);
  await takeBackLeft(publicationPlaces);
  const document = join(home.datasources, `${name}.xml`);
  const isKept = existsSync(join(home.datasources, `${name}.sds`));
  if (isKept && !existsSync(document))
    throw new RefusedImport(`There is a datasource ${name} that no import has made. Choose another name with --name.`);
  if (request.isReplacement === true && !isKept)
    throw new RefusedImport(`There is no datasource ${name} whose data could be replaced. Import without --replace.`);
  request.onProgress(0, STEPS, 'reading');
  const source = await openSource(setup, request, { places, name, tableName });
  try {
    const warehouse = await warehouses.open(source.address);
    request.onProgress(1, STEPS, 'profiling');
    const profile = withFindings(
      await profileSchema({
        warehouse,
        schema: request.schema,
        maxTables: MAX_TABLES,
        tableTypes: ['TABLE'],
        clock: Date.now,
        log,
        work: new InferenceWork(undefined),
      }),
      ...source.imported,
    );
    const tables = profile.tables.map((table) => ({
      name: table.name,
      rows: table.rowCount,
      notes: [
        ...(table.reading?.findings ?? []).map(({ message }) => message),
        ...table.columns.flatMap((column) => (column.notes ?? []).map((note) => `${column.name}: ${note}`)),
      ],
    }));
    if (isKept) {
      const changes = await changesOf(home, name, warehouse, warehouses);
      await requireSameColumns(setup, name, warehouse, warehouses, {
        changes,
        acceptsLosses: request.acceptsLosses === true,
      });
      await warehouses.release(source.address);
      await source.commit();
      await follow(setup, name, { jdbcUrl: source.location, username: request.username, password: request.password });
      return await describeImport(setup, request.tenant, {
        name,
        isNew: false,
        changes,
        tables,
        cubes: [],
        leftOut: [],
        documents: [],
      });
    }
    request.onProgress(2, STEPS, 'finding a model');
    const proposal = proposeByRules(profile, { schemaName: name, factTable: undefined });
    const [problem] = contradictionsOf(proposal);
    if (problem !== undefined) throw new RefusedImport(`No model was found: ${problem}`);
    await warehouses.release(source.address);
    request.onProgress(3, STEPS, 'publishing');
    const { username, password } = request;
    const address = { jdbcUrl: source.location, username, password };
    const sealed = withSealedPassword(homeVault(home, setup.config), address);
    const made = { proposal, name, address: sealed, as: PUBLISHED_AS };
    const { models, documents } = await makeModels(made);
    await writeModels(publicationPlaces, name, {
      models,
      documents,
      documentTaken: (file) =>
        new RefusedImport(`Another datasource has the document ${file}. Choose another name with --name.`),
      ...(source.database === undefined ? {} : { database: { path: source.database, commit: source.commit } }),
    });
    return await describeImport(setup, request.tenant, {
      name,
      isNew: true,
      changes: [],
      tables,
      cubes: proposal.cubes.map((cube) => ({
        name: cube.name,
        measures: cube.measures.length,
        dimensions: cube.dimensions.length,
        notes: cube.notes ?? [],
      })),
      leftOut: (proposal.leftOut ?? []).map(({ tableName: table, reason }) => ({ table, reason })),
      documents: documents.map(({ path }) => path),
    });
  } finally {
    await source.drop();
  }
}

function nameOf({ name, files: [first = ''] }: ImportRequest): string {
  const requested =
    name ?? tableName(first.startsWith('jdbc:') ? (/([^/:?]+)(\?.*)?$/.exec(first)?.[1] ?? 'data') : first);
  const plain =
    name === undefined ? requested.normalize('NFKD').replaceAll(/[^A-Za-z0-9_-]/g, '') || 'data' : requested;
  if (!NAME.test(plain))
    throw new RefusedImport(
      'A name has letters, digits, hyphens and underscores, at most 60, and begins with a letter or digit.',
    );
  return plain;
}

/** Requires that the new data fits the existing model: every used table and column exists, and numbers and dates have not become text. */
async function requireSameColumns(
  { home }: Setup,
  name: string,
  warehouse: Warehouse,
  warehouses: Warehouses,
  { changes, acceptsLosses }: { readonly changes: readonly string[]; readonly acceptsLosses: boolean },
): Promise<void> {
  const document = join(home.datasources, `${name}.xml`);
  const read = await readTextFile(document, MAX_DOCUMENT_BYTES);
  if (!('text' in read)) throw new RefusedImport(`The model ${document} ${read.unreadable}.`);
  const earlierProblems = new Set((await checkSchema(read.text, {})).problems.map(({ message }) => message));
  const { problems } = await checkSchema(read.text, { warehouse });
  const misfits = [
    ...problems.map(({ message }) => message).filter((message) => !earlierProblems.has(message)),
    ...(await changedTypes(home, name, warehouse, warehouses)),
  ];
  if (misfits.length > 0 && !acceptsLosses)
    throw new RefusedImport(
      [
        `The new data does not fit the model of ${name}, which was kept with its old data: ${misfits.slice(0, 3).join(' ')}`,
        ...changes,
        `Choose another --name, remove ${name}.sds to start over, or replace the data all the same with --replace --accept-losses.`,
      ].join('\n'),
    );
}

/** Describes how the new tables differ from the present ones, a line each. */
async function changesOf(
  home: Setup['home'],
  name: string,
  fresh: Warehouse,
  warehouses: Warehouses,
): Promise<readonly string[]> {
  const described = await descriptorOf(home, name);
  if (described === undefined) return [];
  try {
    const before = await warehouses.open(described.datasource.warehouse);
    return (await compareTables(before, fresh, undefined)).flatMap(describeChanges);
  } catch (error) {
    // The old data is gone: there is nothing to compare with.
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/** Lists columns that had numbers or dates and now have text: one odd value in a file is enough. */
async function changedTypes(
  home: Setup['home'],
  name: string,
  fresh: Warehouse,
  warehouses: Warehouses,
): Promise<readonly string[]> {
  const file = join(home.datasources, `${name}.sds`);
  const read = await readTextFile(file, MAX_DOCUMENT_BYTES);
  const { datasource } =
    'text' in read ? parseDescriptor(read.text, { file, supportedPrefixes: warehouses.supported }) : {};
  if (datasource === undefined) return [];
  try {
    const before = await warehouses.open(datasource.warehouse);
    const changed: string[] = [];
    for (const table of await before.tables()) {
      const now = new Map((await fresh.columns(table))?.map((column) => [column.name, column.type] as const));
      for (const column of (await before.columns(table)) ?? []) {
        if (column.type !== 'text' && now.get(column.name) === 'text')
          changed.push(`Column ${column.name} of ${table.name} is text now; it was ${column.nativeType}.`);
      }
    }
    return changed;
  } catch (error) {
    // The old data is gone: there is nothing to compare with.
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/** Updates an attached database that may have moved; its password was encrypted for the old address. */
async function follow(setup: Setup, name: string, address: WarehouseAddress): Promise<void> {
  const vault = homeVault(setup.home, setup.config);
  const moved = withSealedPassword(vault, address);
  const before = (await descriptorOf(setup.home, name))?.datasource.warehouse.jdbcUrl;
  for (const stem of await importedStems(setup, name)) {
    const { text: written, datasource } = (await descriptorOf(setup.home, stem)) ?? {};
    const old = datasource?.warehouse;
    // Another import may have the name `<name>-eu`.
    if (written === undefined || old === undefined || old.jdbcUrl !== before) continue;
    if (old.jdbcUrl === moved.jdbcUrl) continue;
    const { password } = withOpenPassword(() => vault, old);
    const kept = withSealedPassword(vault, { jdbcUrl: moved.jdbcUrl, username: old.username, password });
    const replaced = [
      ['location', old.jdbcUrl, moved.jdbcUrl],
      ['password', old.password, kept.password],
    ] as const;
    let text = written;
    for (const [element, before, after] of replaced) {
      if (before !== undefined && after !== undefined)
        text = text.replace(`<${element}>${escapeXml(before)}<`, () => `<${element}>${escapeXml(after)}<`);
    }
    await writePrivately(join(setup.home.datasources, `${stem}.sds`), text);
  }
}

/** Lists the datasources of an import: its cubes' and its semantic models'. */
async function importedStems({ home }: Setup, name: string): Promise<readonly string[]> {
  const stems = (await readdir(home.datasources))
    .filter((file) => file.endsWith('.sds'))
    .map((file) => file.slice(0, -4));
  return stems.filter((stem) => stem === name || (stem.startsWith(`${name}-`) && stem.endsWith('-model')));
}

async function descriptorOf(home: Setup['home'], stem: string) {
  const file = join(home.datasources, `${stem}.sds`);
  const read = existsSync(file) ? await readTextFile(file, MAX_DOCUMENT_BYTES) : undefined;
  if (read === undefined || !('text' in read)) return undefined;
  const { datasource } = parseDescriptor(read.text, { file, supportedPrefixes: [''] });
  return datasource === undefined ? undefined : { text: read.text, datasource };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
