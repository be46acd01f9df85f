/** A publication of two datasources with two documents and a database, as publishing and importing write it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublicationPlaces, takeBackLeft, writePrivately } from '../../datasources/index.ts';
import { writeModels } from '../publish/write-models.ts';

const descriptor = (name: string, type: string, element: string, file: string) =>
  `<dataSource><id>${name}</id><name>${name}</name><type>${type}</type><${element}>${file}</${element}><location>jdbc:duckdb:x</location></dataSource>\n`;

/** What it makes, by place in a home. */
export const SHOP_FILES = {
  'data/imports/shop.duckdb': 'rows',
  'repository/shared/shop/by-1.service': '{"version":1}\n',
  'repository/shared/shop/overview.servicedash': '{"version":1,"tiles":[]}\n',
  'datasources/shop.xml': '<Schema name="shop"/>\n',
  'datasources/shop-model.yaml': 'version: 1\n',
  'datasources/shop.sds': descriptor('shop', 'OLAP', 'cubeSchema', 'shop.xml'),
  'datasources/shop-model.sds': descriptor('shop-model', 'SEMANTIC', 'semanticYaml', 'shop-model.yaml'),
} as const;

/** Returns the places of a home; its repository is a folder. */
export function shopPlaces(home: string): PublicationPlaces {
  const fileOf = (path: string) => join(home, 'repository', path);
  return {
    directory: join(home, 'datasources'),
    repository: {
      read: (path) => readFile(fileOf(path), 'utf8').catch(() => undefined),
      write: (path, text) => writePrivately(fileOf(path), text),
      remove: (path) => rm(fileOf(path)),
    },
  };
}

/** Publishes, after taking back what an earlier process has left. */
export async function publishShop(home: string): Promise<void> {
  const places = shopPlaces(home);
  const fresh = join(home, 'data/imports/fresh');
  await writeFile(fresh, SHOP_FILES['data/imports/shop.duckdb']);
  await takeBackLeft(places);
  const path = join(home, 'data/imports/shop.duckdb');
  await writeModels(places, 'shop', {
    models: [
      {
        as: 'cube',
        name: 'shop',
        document: { file: 'shop.xml', text: SHOP_FILES['datasources/shop.xml'] },
        descriptor: SHOP_FILES['datasources/shop.sds'],
      },
      {
        as: 'semantic',
        name: 'shop-model',
        document: { file: 'shop-model.yaml', text: SHOP_FILES['datasources/shop-model.yaml'] },
        descriptor: SHOP_FILES['datasources/shop-model.sds'],
      },
    ],
    documents: [
      { path: 'shared/shop/by-1.service', text: SHOP_FILES['repository/shared/shop/by-1.service'] },
      { path: 'shared/shop/overview.servicedash', text: SHOP_FILES['repository/shared/shop/overview.servicedash'] },
    ],
    documentTaken: (file) => new Error(`${file} is taken`),
    database: { path, commit: () => rename(fresh, path) },
  });
}
