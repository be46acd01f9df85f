import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** The product's home folder, which contains all of its files. */
export interface Home {
  readonly root: string;
  readonly datasources: string;
  readonly repository: string;
  readonly skills: string;
  /** GeoJSON files for charts, `<name>.json`. */
  readonly maps: string;
  readonly data: string;
  /** Text of `service.properties`; empty where the file does not exist. */
  readonly properties: string;
}

/** Locates the parts of the home folder at `directory` and reads its properties. Creates nothing. */
export function locateHome(directory: string): Home {
  const root = resolve(directory);
  const propertiesFile = join(root, 'service.properties');
  return {
    root,
    datasources: join(root, 'datasources'),
    repository: join(root, 'repository'),
    skills: join(root, 'skills'),
    maps: join(root, 'maps'),
    data: join(root, 'data'),
    properties: existsSync(propertiesFile) ? readFileSync(propertiesFile, 'utf8') : '',
  };
}

/** Returns the file of a state in SQLite. */
export function stateFile({ data }: Home): string {
  return join(data, 'state.sqlite');
}

/** Returns the folder of what documents were found to contain. All of it can be made again. */
export function keptResultsDirectory({ data }: Pick<Home, 'data'>): string {
  return join(data, 'read-documents');
}

/** Returns a name for a file that stays valid after the home has moved: its path from the root; for a file outside, its path. */
export function withinHome(root: string, file: string): string {
  const way = relative(root, file);
  return way.startsWith('..') || isAbsolute(way) ? file : way;
}

/** Creates the missing folders. */
export function makeHome({ datasources, skills, repository, data }: Home): void {
  for (const folder of [datasources, skills, join(repository, 'homes'), join(repository, 'shared')])
    mkdirSync(folder, { recursive: true });
  // State and warehouses may contain personal data: only the owner of the process may read them.
  mkdirSync(data, { recursive: true, mode: 0o700 });
}
