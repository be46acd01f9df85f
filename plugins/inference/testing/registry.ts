import type { DatasourceLoader } from '../../../router/capabilities/datasources.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openDatasources } from '../../datasources/index.ts';

/**
 * Opens a registry over a folder with loaders that accept everything. Also returns the documents that the loaders
 * received, by name.
 */
export async function acceptingRegistry(directory: string) {
  const served = new Map<string, string>();
  const loader = (type: DatasourceLoader['type']): DatasourceLoader => ({
    type,
    async load({ name }, text) {
      served.set(name, text);
      return [];
    },
    unload: () => undefined,
  });
  const registry = await openDatasources({
    directory,
    loaders: [loader('OLAP'), loader('SEMANTIC')],
    log: silentLog,
    clock: Date.now,
    supportedPrefixes: ['jdbc:'],
  });
  return { registry, served };
}
