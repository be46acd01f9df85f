/** The plugin of model documents: describes them, shows what a change would do, and saves it. */
import type { TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { State } from '../../../router/capabilities/state.ts';
import type { CertifiedAnswer } from '../../../router/certified-answer.ts';
import { standardErrorFormat } from '../../../router/error-body.ts';
import { plugin } from '../../../router/plugin.ts';
import { type DocumentReader, inlineReader } from '../document-reader.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import { applyEdits } from './apply-edits.ts';
import type { Embed } from './breakage.ts';
import { type EditPool, pooledEditor } from './edit-documents.ts';
import { ModelFiles, type ModelFilesOptions } from './model-files.ts';
import { modelDocumentOperations } from './operations.ts';
import { certify } from './save-change.ts';
import { ModelVersions, modelVersionMigrations } from './versions.ts';

export interface ModelDocumentsOptions extends ModelFilesOptions {
  readonly state: State;
  readonly clock: Dependencies['clock'];
  /** Lists the tokens and public grants of a tenant. */
  readonly embedsOf: (tenant: TenantId) => Promise<readonly Embed[]>;
}

/** What the surface gives in addition. */
interface SurfaceParts extends Dependencies {
  readonly log: Log;
  /** Reads documents; without it, the calling thread reads them. */
  readonly reader: DocumentReader | undefined;
  /** Edits documents; without it, the calling thread edits them. */
  readonly edits: EditPool | undefined;
}

/** Makes the plugin, and the function that adds certified answers to models. */
export function modelDocuments(options: ModelDocumentsOptions & SurfaceParts) {
  const files = new ModelFiles(options);
  const versions = new ModelVersions(options.state, options.clock);
  const { reader = inlineReader, edits } = options;
  const edit = edits === undefined ? applyEdits : pooledEditor(edits);
  const parts = { ...options, files, versions, reader, edit };
  return {
    plugin: plugin({
      name: 'modelDocuments',
      title: 'Administration of semantic models',
      router: modelDocumentOperations(parts),
      errorFormat: standardErrorFormat,
      migrations: modelVersionMigrations,
    }),
    certify: (
      answer: CertifiedAnswer,
      { connection }: Readonly<Record<string, unknown>>,
      caller: UserCaller,
      signal: AbortSignal | undefined,
    ) => certify(answer, connection, caller, parts, signal),
  };
}
