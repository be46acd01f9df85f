/**
 * Writes the tables of engines in `docs/reference/datasources.md` and `docs/internals/warehouse-tests.md`.
 *
 *   npx tsx scripts/engines-doc.ts           writes them
 *   npx tsx scripts/engines-doc.ts --check   fails when they are out of date
 */
import { readFileSync } from 'node:fs';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../router/warehouse-engines.ts';
import { writeOrCheck } from './generated-file.ts';

interface EngineDocumentation {
  /** The rest of a JDBC URL behind its prefix, with the usual parameters. */
  readonly url: string;
  /** Versions, and facts about the address that a reader needs. */
  readonly note: string;
  /** The measures that keep a statement from writing and from reading other files. */
  readonly readOnly: string;
  /** The versions that this product's tests use. */
  readonly testedOn: string;
}

const MYSQL_READ_ONLY =
  'a session with read-only transactions, statements prepared one at a time; `INTO OUTFILE`, `LOAD_FILE`, executable comments and locks are refused';

const DOCUMENTATION: Readonly<Record<EngineName, EngineDocumentation>> = {
  duckdb: {
    url: '/path/file.duckdb',
    note: 'in this process; a relative path starts at the home folder',
    readOnly: 'the file is opened read-only, external access is off, and DuckDB itself parses the statement',
    testedOn: 'the engine, always',
  },
  sqlite: {
    url: '/path/file.sqlite',
    note: 'read by separate processes; a relative path starts at the home folder',
    readOnly:
      'the file is opened read-only; one statement that begins as a query and that SQLite compiles to a reading one, so no ATTACH and no PRAGMA',
    testedOn: 'the engine, always',
  },
  postgresql: {
    url: '//host:5432/database?sslmode=require&currentSchema=public',
    note: '14 and later',
    readOnly: 'a cursor in a read-only transaction, in a role without rights to files',
    testedOn: 'a server from npm, always',
  },
  mysql: {
    url: '//host:3306/database?sslMode=VERIFY_IDENTITY',
    note: '8.0.17 and later',
    readOnly: MYSQL_READ_ONLY,
    testedOn:
      'MariaDB, which speaks the same protocol; **our tests run no MySQL server**: Debian has none, and no package of a registry brings its binary (see below)',
  },
  mariadb: {
    url: '//host:3306/database?sslMode=verify-full',
    note: '10.5 and later',
    readOnly: MYSQL_READ_ONLY,
    testedOn: "a server of Debian's `mariadb-server` that each test starts for itself",
  },
  clickhouse: {
    url: '//host:8123/database?ssl=true&sslmode=strict',
    note: '24.8 and later, over HTTP',
    readOnly:
      '`readonly = 1`, which also stops table functions that open files or addresses; the functions that it does not stop are refused by name',
    testedOn:
      'its engine in process (`npm install --prefix .cache/chdb chdb@3.4.0`) behind a stand-in for the documented HTTP interface. The server of Debian is 18.16, older than what this product supports',
  },
  trino: {
    url: '//host:8080/catalog/schema?SSL=true&SSLVerification=FULL',
    note: '418 and later',
    readOnly:
      'one statement at a time that begins as a query; the pass-through functions of connectors (`system.query`) are refused',
    testedOn:
      'a real Trino 476 of one process, where Java 24 and Maven are: the suites of warehouses, of semantic queries, of inference and publishing run on it, and the suites of cubes that run on every engine. A stand-in speaks its protocol for failures that a server does not produce at will',
  },
};

const table = (head: string, row: (name: EngineName) => string) =>
  [head, head.replaceAll(/[^|]+/g, '---'), ...ENGINE_NAMES.map(row)].join('\n');

const TABLES: readonly { readonly file: string; readonly name: string; readonly text: string }[] = [
  {
    file: 'docs/reference/datasources.md',
    name: 'addresses',
    text: table('| Engine | JDBC URL | Versions and notes |', (name) => {
      const { title, prefix } = ENGINES[name];
      const { url, note } = DOCUMENTATION[name];
      return `| ${title} | \`${prefix}${url}\` | ${note} |`;
    }),
  },
  {
    file: 'docs/reference/datasources.md',
    name: 'read-only',
    text: table(
      '| Engine | What enforces it |',
      (name) => `| ${ENGINES[name].title} | ${DOCUMENTATION[name].readOnly} |`,
    ),
  },
  {
    file: 'docs/internals/warehouse-tests.md',
    name: 'tests',
    text: table('| Engine | Tests run on |', (name) => `| ${ENGINES[name].title} | ${DOCUMENTATION[name].testedOn} |`),
  },
];

for (const { file, name, text } of TABLES) {
  const page = readFileSync(file, 'utf8');
  const place = new RegExp(`(<!-- engines: ${name}, by \`[^\`]*\` -->\n)[\\s\\S]*?(\n<!-- end -->)`);
  if (!place.test(page)) throw new Error(`${file} has no place for the table "${name}".`);
  const updated = page.replace(place, (_, start: string, end: string) => start + text + end);
  writeOrCheck(file, updated, 'npx tsx scripts/engines-doc.ts');
}
