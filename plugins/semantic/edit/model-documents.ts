/** The plugin of model documents: describes them, shows what a change would do, and saves it. */
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { State } from '../../../router/capabilities/state.ts';
import { standardErrorFormat } from '../../../router/error-body.ts';
import { plugin } from '../../../router/plugin.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import type { Embed } from './breakage.ts';
import { ModelFiles, type ModelFilesOptions } from './model-files.ts';
import { modelDocumentOperations } from './operations.ts';
import { ModelVersions, modelVersionMigrations } from './versions.ts';

export interface ModelDocumentsOptions extends ModelFilesOptions {
  readonly state: State;
  readonly clock: Dependencies['clock'];
  /** Lists the tokens and public grants of a tenant. */
  readonly embedsOf: (tenant: TenantId) => Promise<readonly Embed[]>;
}

export function modelDocuments(options: ModelDocumentsOptions & Dependencies & { readonly log: Log }) {
  const files = new ModelFiles(options);
  const versions = new ModelVersions(options.state, options.clock);
  return plugin({
    name: 'modelDocuments',
    title: 'Administration of semantic models',
    router: modelDocumentOperations({ ...options, files, versions }),
    errorFormat: standardErrorFormat,
    migrations: modelVersionMigrations,
  });
}
