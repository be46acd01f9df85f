import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import type { Vault } from '../../../router/capabilities/vault.ts';
import type { TableName, Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { ConflictError } from '../../../router/errors.ts';
import { withSealedPassword } from '../../../router/sealed-password.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { takeBackLeft } from '../../datasources/index.ts';
import { refusePersonalColumns, withPersonalJoins } from '../personal/check-proposal.ts';
import { type MarkedConnections, personalColumnsOf } from '../personal/marked-columns.ts';
import { CubeProposal } from '../proposal/schema.ts';
import { checkedSchema } from '../propose/operations.ts';
import { ConnectionId } from '../schemas.ts';
import type { ConnectionStore } from '../stores/connections.ts';
import type { InferenceWork } from '../work/work.ts';
import { PUBLISHED_AS } from './datasource-names.ts';
import { inlineModels, type ModelsPool } from './make-models.ts';
import { placesFor, writeModels } from './write-models.ts';

export interface PublishDependencies extends MarkedConnections {
  readonly operation: CountedOperation;
  readonly store: ConnectionStore;
  /** Returns the datasources of a tenant. */
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly repository: Repository;
  readonly warehouses: Warehouses;
  readonly work: InferenceWork;
  /** Makes the datasources of a proposal. By default, the calling thread does. */
  readonly models?: ModelsPool | undefined;
  /** Encrypts the password of a descriptor. */
  readonly vault: Vault;
}

const PublishRequest = z.strictObject({
  proposal: CubeProposal,
  connectionId: ConnectionId,
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/, 'Letters, digits, hyphens and underscores; 60 at most.')
    .meta({
      description: 'The connection name of the cubes; the semantic model is called `<name>-model`.',
    }),
  as: z
    .array(z.enum(PUBLISHED_AS))
    .min(1)
    .max(PUBLISHED_AS.length)
    .default([...PUBLISHED_AS]),
});

const PublishResponse = z
  .object({
    datasources: z
      .array(
        z.object({
          name: z.string(),
          as: z.enum(PUBLISHED_AS),
          status: z.string().meta({ description: '`READY`, or `BROKEN`: it is written, and not served.' }),
          problems: z.array(z.string()).meta({ description: 'Warnings, and the reasons of a `BROKEN` one.' }),
        }),
      )
      .meta({ description: 'What became of each: the cubes, and the semantic model of all of them.' }),
    documents: z.array(z.string()).meta({ description: 'Saved queries and a dashboard in the repository.' }),
  })
  .meta({ id: 'PublishResponse' });

/** Returns the operation that makes datasources of a proposal. */
export function publishOperations({
  operation,
  store,
  registryOf,
  repository,
  work,
  models = inlineModels,
  vault,
  marksOf,
  warehouses,
}: PublishDependencies) {
  return {
    publish: operation({
      summary: 'Publish a proposal as datasources',
      description:
        'Writes the cube schema and the semantic document of a proposal, registers them over the saved connection, and saves first queries and a dashboard below `shared/<name>`: all of it, or nothing. Nothing is served before all is written. A proposal that shows a column which a served model of the warehouse marks as personal data is refused.',
      access: 'administrator-key',
      rest: { method: 'POST', path: '/me/inference/publish', body: '*', status: 201 },
      implementationChoice: 'Publishing is a choice of this product.',
    })
      .input(PublishRequest)
      .output(PublishResponse)
      .mutation(async ({ input, ctx, signal }) => {
        const caller = userOf(ctx);
        const { name, as } = input;
        await checkedSchema(work, input.proposal, signal);
        const { address } = await store.get(caller.tenant, input.connectionId);
        const personal = await personalColumnsOf({ marksOf, warehouses }, caller.tenant, address);
        const tableOf = personal.isEmpty
          ? (table: TableName) => table
          : await personal.kindsIn(await warehouses.open(address), signal);
        refusePersonalColumns(input.proposal, personal, tableOf);
        const proposal = withPersonalJoins(input.proposal, personal, tableOf);
        const sealed = withSealedPassword(vault, address);
        const made = await models.run({ proposal, name, address: sealed, as }, signal);
        const registry = await registryOf(caller.tenant);
        const places = placesFor(registry.directory, repository, caller);
        const { documents } = made;
        const names = made.models.map((model) => model.name);
        const entries = await registry.addTogether(names, async (present) => {
          await takeBackLeft(places);
          const ids = new Set(names);
          const taken = present.find((each) => ids.has(each.name) || ids.has(each.id) || ids.has(fileStem(each.file)));
          if (taken !== undefined) throw exists(taken.name);
          await writeModels(places, name, { ...made, documentTaken });
        });
        const published = made.models.flatMap((model, place) => {
          const entry = entries[place];
          if (entry === undefined) return [];
          const problems = entry.problems.map(({ message }) => message);
          return [{ name: model.name, as: model.as, status: entry.status, problems }];
        });
        return { datasources: published, documents: documents.map(({ path }) => path) };
      }),
  };
}

function documentTaken(file: string): ConflictError {
  return new ConflictError(`Another datasource has the document ${file}. Choose another name.`, {
    code: 'document_exists',
  });
}

function fileStem(file: string): string {
  return file.replace(/\.sds$/, '');
}

function exists(name: string): ConflictError {
  return new ConflictError(`There is a datasource "${name}" already. Remove it first, or choose another name.`, {
    code: 'datasource_exists',
  });
}
