import { mkdir } from 'node:fs/promises';
import { standardErrorFormat } from '../../router/error-body.ts';
import { plugin } from '../../router/plugin.ts';
import { DatasourceRegistry, type DatasourceRegistryOptions } from './datasource-registry.ts';
import { type DatasourceOperationsOptions, datasourceOperations } from './operations.ts';

/**
 * Begins to load and to watch the descriptors of a folder. Returns before they are loaded: `whenLoaded` resolves when
 * all are loaded or refused.
 */
export async function openDatasources(options: DatasourceRegistryOptions): Promise<DatasourceRegistry> {
  await mkdir(options.directory, { recursive: true });
  return new DatasourceRegistry(options);
}

/** Returns the administration of datasources. */
export function datasources(options: DatasourceOperationsOptions) {
  return plugin({
    name: 'datasources',
    title: 'Administration of datasources',
    router: datasourceOperations(options),
    errorFormat: standardErrorFormat,
  });
}
