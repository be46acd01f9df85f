import type { DatasourceLoader } from '../../../router/capabilities/datasources.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openDatasources } from '../../datasources/index.ts';

/** Makes a registry over a folder whose loaders accept everything, and the documents that they were given, by name. */
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
