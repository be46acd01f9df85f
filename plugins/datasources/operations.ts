import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import { ConflictError, NotFoundError, type Problem, ValidationError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import type { DatasourceRegistry } from './datasource-registry.ts';
import { type DescriptorProblem, DOCUMENT_ELEMENT } from './descriptor/parse.ts';
import { writeDescriptor } from './descriptor/write.ts';
import type { RegisteredDatasource } from './registered-datasource.ts';
import { DatasourceListing, DatasourceRequest, Removed } from './schemas.ts';

const BASE = '/rest/service/api/admin/datasources';
const CHOICE = 'Path and payload of the administrative interface are a choice of this product.';

export interface DatasourceOperationsOptions {
  /** Returns the datasources of a tenant. */
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  /**
   * Returns whether an address names a file that no datasource a tenant makes here may be over; an operator's
   * descriptor may.
   */
  readonly refusesLocation?: (jdbcUrl: string, tenant: TenantId) => Promise<boolean>;
  /** Checks whether the host of a warehouse may be connected to; throws a ValidationError at `jdbcUrl` where not. */
  readonly checkWarehouse?: (address: WarehouseAddress) => Promise<void>;
  /** Returns whether a document may not be named by a datasource that a tenant makes here. */
  readonly refusesDocument?: (path: string, tenant: TenantId) => Promise<boolean>;
  /**
   * Runs after a datasource was removed through this operation, to remove what was made for it alone; may report what
   * was removed and what stays.
   */
  readonly onRemoved?: (
    datasource: Datasource,
    caller: Scope,
    /** The text that its file held. */
    descriptor: string,
    /** The name of the file. */
    file: string,
  ) => Promise<
    | {
        readonly removed: readonly string[];
        readonly kept: readonly string[];
        readonly undo: string;
        readonly undoUntil: string;
      }
    | undefined
  >;
}

export function datasourceOperations({
  registryOf,
  refusesLocation = async () => false,
  refusesDocument = async () => false,
  checkWarehouse = async () => undefined,
  onRemoved = async () => undefined,
}: DatasourceOperationsOptions) {
  return operations({
    list: operation({
      summary: 'List the datasources of the tenant with what became of each',
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
      implementationChoice: CHOICE,
    })
      .output(z.array(DatasourceListing))
      .query(async ({ ctx }) => (await registryOf(userOf(ctx).tenant)).list().map(listing)),

    add: operation({
      summary: 'Register a datasource',
      description: 'Writes the descriptor `<id>.sds` and loads it. The answer reports whether it is READY.',
      access: 'administrator',
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
      implementationChoice: CHOICE,
    })
      .input(DatasourceRequest)
      .output(DatasourceListing)
      .mutation(async ({ ctx, input }) => {
        const { tenant } = userOf(ctx);
        const registry = await registryOf(tenant);
        const id = input.id ?? randomUUID();
        const source = writeDescriptor(membersOf(id, input));
        const { datasource } = registry.parse(id, source);
        if (datasource !== undefined && (await refusesDocument(datasource.documentPath, tenant)))
          throw ValidationError.at(
            [DOCUMENT_ELEMENT[input.type]],
            'A document that is registered here lies in the datasources folder of its tenant.',
          );
        await refuseUnusable(registry, id, source, input);
        if (datasource !== undefined && (await refusesLocation(datasource.warehouse.jdbcUrl, tenant)))
          throw ValidationError.at(
            ['location'],
            'A file that is registered here lies below the data folder of the server.',
          );
        if (datasource !== undefined) await atLocation(() => checkWarehouse(datasource.warehouse));
        const outcome = await registry.add(id, source);
        if ('taken' in outcome) throw taken(id, input.name, outcome.taken);
        return listing(outcome.added);
      }),

    refresh: operation({
      summary: 'Read all descriptors and documents again, now',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/refresh` },
      implementationChoice: CHOICE,
    })
      .output(z.array(DatasourceListing))
      .mutation(async ({ ctx }) => (await (await registryOf(userOf(ctx).tenant)).refresh()).map(listing)),

    remove: operation({
      summary: 'Remove a datasource and its descriptor file',
      description:
        'Publishing or an import may have made objects for it: its document, saved queries and a dashboard. They are removed, too. Objects that somebody has changed since stay, and are listed in `kept`. All of it can be put back for ten minutes: `POST /admin/data/removals/{undo}/undo`.',
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/{id}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Name.meta({ description: 'The id, or the name of the descriptor file.' }) }))
      .output(Removed)
      .mutation(async ({ ctx, input: { id } }) => {
        const caller = userOf(ctx);
        const registry = await registryOf(caller.tenant);
        const entry = theOne(registry.list(), id);
        const gone = await registry.remove(entry);
        const after = gone && (await onRemoved(gone.datasource, caller, gone.source, entry.file));
        const { removed = [], kept = [] } = after ?? {};
        return {
          status: 'OK',
          ...(removed.length === 0 ? {} : { removed: [...removed] }),
          ...(kept.length === 0 ? {} : { kept: [...kept] }),
          ...(after === undefined ? {} : { undo: after.undo, undoUntil: after.undoUntil }),
        } as const;
      }),
  });
}

function listing({ updatedAtMillis, problems, type, ...entry }: RegisteredDatasource): DatasourceListing {
  return {
    ...entry,
    type: type ?? null,
    problems: problems.map(({ severity, message, line }) => ({
      severity,
      message,
      ...(line === undefined ? {} : { line }),
    })),
    updatedAt: new Date(updatedAtMillis).toISOString(),
  };
}

function membersOf(id: string, { advanced, enabled, ...texts }: DatasourceRequest) {
  return { ...texts, id, advanced: advanced?.toString(), enabled: enabled?.toString() };
}

/** Refuses what would keep the descriptor from being used, before anything is written, at the member it is about. */
async function refuseUnusable(
  registry: DatasourceRegistry,
  id: string,
  source: string,
  input: DatasourceRequest,
): Promise<void> {
  const { parsed, document } = await registry.examine(id, source);
  const [first, ...others] = parsed.problems.filter((problem) => problem.severity === 'error').map(fieldProblem);
  if (first !== undefined) throw new ValidationError([first, ...others]);
  if (document !== undefined && 'unreadable' in document)
    throw ValidationError.at([DOCUMENT_ELEMENT[input.type]], `The document ${document.unreadable}.`);
}

function fieldProblem({ element, message }: DescriptorProblem): Problem {
  return { path: element === undefined ? [] : [element], message };
}

function taken(id: string, name: string, other: RegisteredDatasource): ConflictError {
  const what = other.id === id ? `id "${id}"` : other.name === name ? `name "${name}"` : `file ${other.file}`;
  return new ConflictError(`There is a datasource of the ${what} already. Remove it first, or choose another.`, {
    code: 'DATASOURCE_EXISTS',
  });
}

/** Returns the entry of that file name or id. Where two files give one id, only the file name identifies the entry. */
function theOne(entries: readonly RegisteredDatasource[], id: string): RegisteredDatasource {
  const byFile = entries.find((entry) => entry.file === id);
  const [entry, ...others] = byFile === undefined ? entries.filter((entry) => entry.id === id) : [byFile];
  if (entry === undefined)
    throw new NotFoundError('There is no such datasource.', { available: entries.map((entry) => entry.id) });
  if (others.length > 0)
    throw new ConflictError('Several descriptor files have this id. Give the name of the file to remove.', {
      available: [entry, ...others].map((entry) => entry.file),
    });
  return entry;
}

/** Moves an error from the member `jdbcUrl`, which a driver names, to `location`. */
async function atLocation(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ValidationError) || error.path?.[0] !== 'jdbcUrl') throw error;
    throw ValidationError.at(['location'], error.message, error.available);
  }
}
