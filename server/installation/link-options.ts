import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import { uploadSettings } from '../config/warehouse-settings.ts';
import { FreeSpace } from '../disk/free-space.ts';
import { ownScratchName } from '../disk/scratch.ts';
import { BINARY_MEGABYTE } from '../jobs/limits.ts';
import type { LinkOptions } from '../links/open-links.ts';

/** Returns the options of imports from links, from the settings of an installation. */
export function linkOptions(config: Config, home: { readonly data: string }): LinkOptions {
  return {
    allow: config['service.links.allow'],
    privateHosts: config['service.links.privateHosts'],
    denyHosts: config['service.connections.denyHosts'],
    ownPort: config['service.http.port'],
    maxBytes: uploadSettings(config).maxFileBytes,
    directory: join(home.data, 'uploads', ownScratchName()),
    freeSpace: new FreeSpace(home.data, config['service.disk.minFreeMegabytes'] * BINARY_MEGABYTE),
  };
}
