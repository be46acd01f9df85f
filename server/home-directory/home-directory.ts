import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** The product's home folder: everything it keeps on disk, below one root. */
export interface Home {
  readonly root: string;
  readonly datasources: string;
  readonly repository: string;
  readonly skills: string;
  readonly data: string;
  /** Text of `service.properties`; empty where the file does not exist. */
  readonly properties: string;
}

/** Tells where the parts of the home folder at `directory` are and reads its properties. Nothing is made. */
export function locateHome(directory: string): Home {
  const root = resolve(directory);
  const propertiesFile = join(root, 'service.properties');
  return {
    root,
    datasources: join(root, 'datasources'),
    repository: join(root, 'repository'),
    skills: join(root, 'skills'),
    data: join(root, 'data'),
    properties: existsSync(propertiesFile) ? readFileSync(propertiesFile, 'utf8') : '',
  };
}

/** Returns where the state lies when it lies in a file. */
export function stateFile({ data }: Home): string {
  return join(data, 'state.sqlite');
}

/** Returns what names a file of the home after the home has moved: its path from the root; of any other, the path as it is. */
export function withinHome(root: string, file: string): string {
  const way = relative(root, file);
  return way.startsWith('..') || isAbsolute(way) ? file : way;
}

/** Makes the folders that are missing. */
export function makeHome({ datasources, skills, repository, data }: Home): void {
  for (const folder of [datasources, skills, join(repository, 'homes'), join(repository, 'shared')])
    mkdirSync(folder, { recursive: true });
  // State and warehouses may hold personal data: for the owner of the process only.
  mkdirSync(data, { recursive: true, mode: 0o700 });
}
