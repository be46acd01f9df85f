/** Prepares homes for the benchmarks: a datasource over a DuckDB file, and a key of the API. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Read } from './http-load.ts';

export interface StagedModel {
  /** The statement that makes the table. */
  readonly table: string;
  /** The semantic document. */
  readonly document: string;
}

/** Writes a field of a semantic document that is a column of its name. */
export const field = (name: string): string =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;

/** Makes a datasource with one table and its semantic model. Returns the file of the database. */
export async function stageModel(home: string, name: string, { table, document }: StagedModel): Promise<string> {
  const data = join(home, 'data');
  const datasources = join(home, 'datasources');
  for (const folder of [data, datasources]) mkdirSync(folder, { recursive: true });
  const database = join(data, `${name}.duckdb`);
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  await connection.run(table);
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(datasources, `${name}.yaml`), document);
  writeFileSync(
    join(datasources, `${name}.sds`),
    `<?xml version="1.0" encoding="UTF-8"?>
<dataSource><id>${name}</id><name>${name}</name><type>SEMANTIC</type><semanticYaml>${name}.yaml</semanticYaml><location>jdbc:duckdb:data/${name}.duckdb</location><enabled>true</enabled></dataSource>
`,
  );
  return database;
}

/** Makes an API key of an administrator in a home. */
export function makeKey(home: string): string {
  const args = ['dist/service.js', 'api-key', 'create', '--home', home, '--label', 'bench', '--role', 'ROLE_ADMIN'];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

/** Returns the statement of a query, asked at its address for previews. */
export async function statementOf(url: string, { path, headers, body }: Read): Promise<string> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: headers ?? {}, body: body ?? '' });
  if (!response.ok) throw new Error(await response.text());
  const { generatedSql }: { readonly generatedSql: string } = JSON.parse(await response.text());
  return generatedSql;
}
