import { RefusedFile } from './content-check.ts';

export const MAX_COLUMNS = 1_000;

export function tooManyColumns(): RefusedFile {
  return new RefusedFile(`The file has more than ${MAX_COLUMNS} columns.`);
}
