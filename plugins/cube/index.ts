/** The cube surface. */
export type { Schema } from './schema/model.ts';
export { readSchema } from './schema/read.ts';
