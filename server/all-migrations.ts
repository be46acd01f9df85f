/**
 * The migrations of all owners of tables, by the owner's name in the state. A start runs all of them in one transaction, and a backup includes their
 * tables.
 */
import { askedQuestionMigrations } from '../plugins/ask/index.ts';
import { billingMigrations } from '../plugins/billing/index.ts';
import { recentQueryMigrations } from '../plugins/cube/index.ts';
import { dataMigrations } from '../plugins/data/index.ts';
import { embedMigrations } from '../plugins/embed/index.ts';
import { inferenceMigrations } from '../plugins/inference/index.ts';
import { agentCallMigrations } from '../plugins/mcp/index.ts';
import { repositoryMigrations } from '../plugins/repository/index.ts';
import { modelVersionMigrations, rollupDemandMigrations } from '../plugins/semantic/index.ts';
import { webhookMigrations } from '../plugins/webhooks/index.ts';
import type { Migrations } from '../router/capabilities/state.ts';
import { InternalError } from '../router/errors.ts';
import { activityMigrations } from './activity/tables.ts';
import { auditMigrations } from './audit/tables.ts';
import { identityMigrations } from './identity/index.ts';
import { jobMigrations } from './jobs/index.ts';
import { llmMigrations } from './llm/index.ts';
import { oauthMigrations } from './oauth/index.ts';

export const allMigrations = {
  activity: activityMigrations,
  agents: agentCallMigrations,
  ask: askedQuestionMigrations,
  identity: identityMigrations,
  jobs: jobMigrations,
  llm: llmMigrations,
  oauth: oauthMigrations,
  audit: auditMigrations,
  cube: recentQueryMigrations,
  data: dataMigrations,
  embed: embedMigrations,
  billing: billingMigrations,
  inference: inferenceMigrations,
  modelDocuments: modelVersionMigrations,
  repository: repositoryMigrations,
  semantic: rollupDemandMigrations,
  webhooks: webhookMigrations,
} as const satisfies Readonly<Record<string, Migrations>>;

/**
 * Refuses a plugin with tables that the state and backups would lack.
 *
 * @throws InternalError
 */
export function requireListed(
  plugins: readonly { readonly name: string; readonly migrations?: Migrations | undefined }[],
): void {
  const listed = new Map<string, Migrations>(Object.entries(allMigrations));
  for (const { name, migrations = {} } of plugins)
    if (Object.keys(migrations).length > 0 && listed.get(name) !== migrations)
      throw new InternalError(`the migrations of the plugin ${name} are not in server/all-migrations.ts`);
}
