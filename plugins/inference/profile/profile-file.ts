/** Profiles a file: loads it into a scratch database and profiles that. */
import { basename, extname } from 'node:path';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { FileImport, ImportedTable, TableChoices } from '../../../router/capabilities/file-import.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { UploadedFile } from '../../../router/rest/input.ts';
import { FileReading } from '../file-reading.ts';
import type { SchemaProfile } from '../schemas.ts';
import { inScratchDatabase, type ScratchDatabases } from '../stores/scratch-database.ts';
import type { InferenceWork } from '../work/work.ts';
import { profileSchema } from './profile-schema.ts';

export interface FileProfileDependencies {
  readonly warehouses: Warehouses;
  readonly files: FileImport;
  readonly directory: ScratchDatabases['directory'];
  readonly clock: Clock;
  readonly log: Log;
  readonly work: Pick<InferenceWork, 'pairs'>;
}

/** Returns the profile of a file. @throws ValidationError at `file` when it cannot be read */
export async function profileFile(
  { warehouses, files, directory, clock, log, work }: FileProfileDependencies,
  { name, path }: UploadedFile,
  choices: Readonly<Record<string, TableChoices>> | undefined,
  signal: AbortSignal | undefined,
): Promise<SchemaProfile> {
  const started = clock();
  return inScratchDatabase({ warehouses, directory }, async (database, address) => {
    const imported = await files.load([{ path, name, table: tableName(name) }], database, { signal, choices });
    const warehouse = await warehouses.open(address);
    const profile = await profileSchema({
      warehouse,
      schema: undefined,
      maxTables: imported.length,
      tableTypes: ['TABLE'],
      clock,
      log,
      work,
      signal,
    });
    return { ...withFindings(profile, ...imported), sampleDurationMillis: Math.max(0, clock() - started) };
  });
}

/** Adds to the tables and columns how they were written in the files, and what was lost. */
export function withFindings(
  profile: SchemaProfile,
  ...imported: readonly (ImportedTable | undefined)[]
): SchemaProfile {
  const byTable = new Map(imported.flatMap((each) => (each === undefined ? [] : [[each.table, each] as const])));
  return {
    ...profile,
    tables: profile.tables.map((table) => {
      const read = byTable.get(table.name);
      if (read === undefined) return table;
      const byName = new Map(read.columns.map((column) => [column.name, column] as const));
      return {
        ...table,
        reading: readingOf(read),
        columns: table.columns.map((column) => {
          const { notes = [], unit, isText = false } = byName.get(column.name) ?? {};
          return {
            ...column,
            ...(notes.length === 0 ? {} : { notes: [...notes] }),
            ...(unit === undefined ? {} : { unit }),
            ...(isText ? { readable: true as const } : {}),
          };
        }),
      };
    }),
  };
}

function readingOf({ file, sheet, headerRow, firstRows, findings }: ImportedTable): FileReading {
  return FileReading.parse({ file, sheet, headerRow, firstRows, findings });
}

/** Returns the name of the table that a file becomes: `Sales 2024.csv` -> `sales_2024`. */
export function tableName(file: string): string {
  const stem = basename(file, extname(file)).normalize('NFKC').toLowerCase();
  const name = stem
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
  return name === '' ? 'data' : /^\d/.test(name) ? `t_${name}` : name;
}
