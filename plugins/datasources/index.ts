export { DatasourceBoard, DatasourceBoards } from './board.ts';
export type { DatasourceRegistry, DescribedDatasource } from './datasource-registry.ts';
export { parseDescriptor } from './descriptor/parse.ts';
export { withAddress, writeDescriptor } from './descriptor/write.ts';
export { clearTemporaries, descriptorFiles, readTextFile, writePrivately } from './files.ts';
export { datasources, openDatasources } from './plugin.ts';
export { TenantDatasources } from './tenant-datasources.ts';
export { hashOf, type PublicationPlaces, type TextPlace, takeBackLeft, writeTogether } from './write-together.ts';
