export { DatasourceBoard, DatasourceBoards } from './board.ts';
export type { DatasourceRegistry } from './datasource-registry.ts';
export { parseDescriptor } from './descriptor/parse.ts';
export { writeDescriptor } from './descriptor/write.ts';
export { descriptorFiles, readTextFile, writePrivately } from './files.ts';
export { datasources, openDatasources } from './plugin.ts';
export { hashOf, type PublicationPlaces, takeBackLeft, writeTogether } from './publication.ts';
export { TenantDatasources } from './tenant-datasources.ts';
