/** Lets administrators of the installation list, create and remove tenants. */
import { z } from 'zod';
import { Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ConflictError, ForbiddenError, ValidationError } from '../../router/errors.ts';
import { type OperationContext, operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { Tenant } from '../identity/index.ts';
import { formatContents, type TenantAdministration } from './tenant-lifecycle.ts';

const BASE = '/rest/service/api/admin/tenants';
const CHOICE = 'Path and payload of the administrative interface are a choice of this product.';
const DESCRIPTION = 'For administrators of the tenant `default`, who operate the installation.';

const TenantListing = z
  .strictObject({ id: z.string(), name: z.string(), tier: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'TenantListing' });

const TenantMade = TenantListing.extend({
  folders: z.array(z.string()).describe('Where its files go, from the home folder.'),
}).meta({ id: 'TenantMade' });

const Counts = z.record(z.string(), z.int());
const TenantRemoved = z
  .strictObject({
    name: z.string(),
    removed: z.strictObject({
      rows: Counts.describe('By table.'),
      files: Counts.describe('By folder, from the home folder.'),
    }),
    endedSubscriptions: z
      .array(z.string())
      .optional()
      .describe('The subscriptions that it had at the payment processor, if any.'),
  })
  .meta({ id: 'TenantRemoved' });

export interface TenantSurfaceOptions {
  readonly administration: TenantAdministration;
  /** The tenant of the installation's operators. */
  readonly operators: TenantId;
}

export function tenantsPlugin({ administration, operators }: TenantSurfaceOptions) {
  /** Gives every other caller the same answer for any name. */
  const requireOperator = (ctx: OperationContext): void => {
    if (userOf(ctx).tenant !== operators)
      throw new ForbiddenError('Tenants are managed by administrators of the tenant default.');
  };
  return plugin({
    name: 'tenants',
    title: 'Tenants',
    errorFormat: standardErrorFormat,
    router: operations({
      list: operation({
        summary: 'List the tenants of the installation',
        description: DESCRIPTION,
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: BASE },
      })
        .output(z.array(TenantListing))
        .query(async ({ ctx }) => {
          requireOperator(ctx);
          return (await administration.list()).map(listing);
        }),

      create: operation({
        summary: 'Make a tenant and its folders',
        description: `${DESCRIPTION} Its first administrator is made with \`service user add --tenant NAME --admin\`, or comes by single sign-on.`,
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'POST', path: BASE, body: '*', status: 201 },
      })
        .input(
          z
            .strictObject({ name: Name.describe('1 to 64 letters, digits and `. _ @ -`; it also names folders.') })
            .meta({ id: 'TenantRequest' }),
        )
        .output(TenantMade)
        .mutation(async ({ ctx, input: { name } }) => {
          requireOperator(ctx);
          try {
            const { folders, ...tenant } = await administration.create(name);
            return { ...listing(tenant), folders: [...folders] };
          } catch (error) {
            throw error instanceof ValidationError ? error.moved(() => ['name']) : error;
          }
        }),

      remove: operation({
        summary: 'Remove a tenant',
        description: `${DESCRIPTION} A tenant with contents stays, and the answer, 409, lists them; \`force=true\` removes it with its users, keys, tokens, queries, documents, datasources and files. Its subscriptions end first; where that fails, the tenant stays, unless \`keepSubscription=true\` leaves the subscription.`,
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'DELETE', path: `${BASE}/{name}`, query: ['force', 'keepSubscription'] },
      })
        .input(z.strictObject({ name: Name, force: z.boolean().optional(), keepSubscription: z.boolean().optional() }))
        .output(TenantRemoved)
        .mutation(async ({ ctx, input: { name, force, keepSubscription } }) => {
          requireOperator(ctx);
          const outcome = await administration.remove(name, {
            force: force === true,
            keepSubscription: keepSubscription === true,
          });
          if ('kept' in outcome)
            throw new ConflictError(
              `The tenant ${name} has ${formatContents(outcome.kept)}. Send force=true to remove all of it.`,
              { code: 'TENANT_NOT_EMPTY' },
            );
          const { rows, files } = outcome.removed;
          const ended =
            outcome.endedSubscriptions.length === 0 ? {} : { endedSubscriptions: [...outcome.endedSubscriptions] };
          return { name, removed: { rows: { ...rows }, files: { ...files } }, ...ended };
        }),
    }),
  });
}

function listing({ id, name, tier, createdAtMillis }: Tenant): z.output<typeof TenantListing> {
  return { id, name, tier, createdAt: new Date(createdAtMillis).toISOString() };
}
