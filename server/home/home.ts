import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The product's home folder: everything it keeps on disk, below one root. */
export interface Home {
  readonly root: string;
  readonly datasources: string;
  readonly repository: string;
  readonly skills: string;
  readonly data: string;
  /** Text of `service.properties`, or empty when there is none. */
  readonly properties: string;
}

/** Opens the home folder at `directory`, making what is missing. */
export function openHome(directory: string): Home {
  const root = resolve(directory);
  const home = {
    root,
    datasources: join(root, 'datasources'),
    repository: join(root, 'repository'),
    skills: join(root, 'skills'),
    data: join(root, 'data'),
  };
  for (const folder of [
    home.datasources,
    home.skills,
    join(home.repository, 'homes'),
    join(home.repository, 'shared'),
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  // State and warehouses may hold personal data: for the owner of the process only.
  mkdirSync(home.data, { recursive: true, mode: 0o700 });
  const propertiesFile = join(root, 'service.properties');
  return { ...home, properties: existsSync(propertiesFile) ? readFileSync(propertiesFile, 'utf8') : '' };
}
