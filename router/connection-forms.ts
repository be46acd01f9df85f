/**
 * The form of each engine's connections: the parts of an address that people know by name, instead of a JDBC URL. Pages
 * make their fields from this table, and errors of a connection name the part that they are about. An engine without a
 * form does not compile.
 */
import { ENGINES, type EngineName, engineOfUrl } from './warehouse-engines.ts';

/** The parts of a connection, in the order of the fields. */
export const CONNECTION_PARTS = [
  'file',
  'host',
  'port',
  'database',
  'catalog',
  'schema',
  'username',
  'password',
  'tls',
] as const;
export type ConnectionPart = (typeof CONNECTION_PARTS)[number];

/** The values of a form; a part without a value is left out or empty. */
export type ConnectionValues = Readonly<Partial<Record<ConnectionPart, string>>>;

/** One way to use TLS. */
export interface TlsChoice {
  readonly value: string;
  readonly label: string;
  /** The parameters of the URL that choose it. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface FileForm {
  readonly kind: 'file';
  /** A path for the help of the field. */
  readonly example: string;
}

interface ServerForm {
  readonly kind: 'server';
  readonly port: number;
  /** The port where TLS is used, if it differs. */
  readonly tlsPort?: number;
  /** The parts of the URL's path, in their order. */
  readonly path: readonly ConnectionPart[];
  /** Whether the schema is a member of the connection and no part of the URL. */
  readonly hasSchemaMember: boolean;
  /** The parts that must have a value, besides the host. */
  readonly required: readonly ConnectionPart[];
  /** The first is the default; the first whose parameters a URL has is its choice. */
  readonly tls: readonly [TlsChoice, ...TlsChoice[]];
  /** How to list the databases of a server, where a connection needs none: for candidates. */
  readonly databases?: { readonly connectTo: string; readonly sql: string };
}

export type ConnectionForm = FileForm | ServerForm;

const MYSQL_FORM: ServerForm = {
  kind: 'server',
  port: 3306,
  path: ['database'],
  hasSchemaMember: false,
  required: ['database', 'username'],
  tls: [
    { value: 'prefer', label: 'If the server has it', parameters: {} },
    { value: 'require', label: 'Always, any certificate', parameters: { sslMode: 'required' } },
    { value: 'verify', label: 'Always, certificate of this host', parameters: { sslMode: 'verify-identity' } },
    { value: 'disable', label: 'Never', parameters: { sslMode: 'disabled' } },
  ],
  databases: {
    connectTo: '',
    sql: "SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY schema_name",
  },
};

export const CONNECTION_FORMS: Readonly<Record<EngineName, ConnectionForm>> = {
  duckdb: { kind: 'file', example: 'data/shop.duckdb' },
  sqlite: { kind: 'file', example: 'data/shop.sqlite' },
  postgresql: {
    kind: 'server',
    port: 5432,
    path: ['database'],
    hasSchemaMember: true,
    required: ['database', 'username'],
    tls: [
      { value: 'prefer', label: 'If the server has it', parameters: {} },
      { value: 'require', label: 'Always, any certificate', parameters: { sslmode: 'require' } },
      { value: 'verify', label: 'Always, certificate of this host', parameters: { sslmode: 'verify-full' } },
      { value: 'disable', label: 'Never', parameters: { sslmode: 'disable' } },
    ],
    databases: {
      connectTo: 'postgres',
      sql: 'SELECT datname FROM pg_catalog.pg_database WHERE datallowconn AND NOT datistemplate ORDER BY datname',
    },
  },
  mysql: MYSQL_FORM,
  mariadb: MYSQL_FORM,
  clickhouse: {
    kind: 'server',
    port: 8123,
    tlsPort: 8443,
    path: ['database'],
    hasSchemaMember: false,
    required: ['database'],
    tls: [
      { value: 'disable', label: 'Never', parameters: {} },
      { value: 'require', label: 'Always, any certificate', parameters: { ssl: 'true', sslmode: 'none' } },
      { value: 'verify', label: 'Always, certificate of this host', parameters: { ssl: 'true' } },
    ],
    databases: {
      connectTo: 'default',
      sql: "SELECT name FROM system.databases WHERE name NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') ORDER BY name",
    },
  },
  trino: {
    kind: 'server',
    port: 8080,
    tlsPort: 8443,
    path: ['catalog', 'schema'],
    hasSchemaMember: false,
    required: ['catalog', 'username'],
    tls: [
      { value: 'disable', label: 'Never', parameters: {} },
      { value: 'require', label: 'Always, any certificate', parameters: { SSL: 'true', SSLVerification: 'NONE' } },
      { value: 'verify', label: 'Always, certificate of this host', parameters: { SSL: 'true' } },
    ],
  },
};

/** Returns the parts that the form of an engine has, in the order of its fields. */
export function partsOf(engine: EngineName): readonly ConnectionPart[] {
  const form = CONNECTION_FORMS[engine];
  if (form.kind === 'file') return ['file'];
  const parts = new Set<ConnectionPart>(['host', 'port', ...form.path, 'username', 'password', 'tls']);
  if (form.hasSchemaMember) parts.add('schema');
  return CONNECTION_PARTS.filter((part) => parts.has(part));
}

/** Returns the parts that must have a value. */
export function requiredParts(engine: EngineName): readonly ConnectionPart[] {
  const form = CONNECTION_FORMS[engine];
  return form.kind === 'file' ? ['file'] : ['host', ...form.required];
}

/** Returns the port that a connection uses where the form names none. */
export function defaultPort(engine: EngineName, tls: string | undefined): number | undefined {
  const form = CONNECTION_FORMS[engine];
  if (form.kind === 'file') return undefined;
  const isWithTls = tls !== undefined && tls !== 'disable' && tls !== 'prefer';
  return isWithTls ? (form.tlsPort ?? form.port) : form.port;
}

/** Writes the JDBC URL of a form's values. User, password and the schema of PostgreSQL are members beside the URL. */
export function jdbcUrlOf(engine: EngineName, values: ConnectionValues): string {
  const { prefix } = ENGINES[engine];
  const form = CONNECTION_FORMS[engine];
  if (form.kind === 'file') return `${prefix}${(values.file ?? '').trim()}`;
  const host = (values.host ?? '').trim();
  const port = (values.port ?? '').trim() || String(defaultPort(engine, values.tls) ?? '');
  const path = form.path.map((part) => encodeURIComponent((values[part] ?? '').trim())).join('/');
  const tls = form.tls.find(({ value }) => value === values.tls) ?? form.tls[0];
  const parameters = new URLSearchParams(tls.parameters).toString();
  const place = `//${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  return `${prefix}${place}/${path.replace(/\/+$/, '')}${parameters === '' ? '' : `?${parameters}`}`;
}

/** Reads a JDBC URL into the values of its engine's form; `undefined` for a URL with parts that the form has not. */
export function formOfUrl(url: string): { readonly engine: EngineName; readonly values: ConnectionValues } | undefined {
  const engine = engineOfUrl(url);
  if (engine === undefined) return undefined;
  const form = CONNECTION_FORMS[engine];
  const rest = url.slice(ENGINES[engine].prefix.length);
  if (form.kind === 'file') return rest.includes('?') ? undefined : { engine, values: { file: rest } };
  const [target = '', query = ''] = rest.split('?', 2);
  const found = /^\/\/(\[[^\]]+\]|[^/:,]+)(?::(\d+))?((?:\/[^/]*)*)$/.exec(target);
  if (found === null) return undefined;
  const [, host = '', port = '', path = ''] = found;
  const pieces = path.split('/').filter((piece) => piece !== '');
  const parameters = new Map(new URLSearchParams(query));
  const tls = form.tls.find(({ parameters: chosen }) => isSameText(Object.entries(chosen), [...parameters]));
  if (tls === undefined || pieces.length > form.path.length) return undefined;
  const named = form.path.map((part, index) => [part, decodedOrSame(pieces[index] ?? '')] as const);
  return {
    engine,
    values: {
      host: host.replace(/^\[|\]$/g, ''),
      port: port === '' ? String(defaultPort(engine, tls.value) ?? '') : port,
      ...Object.fromEntries(named),
      tls: tls.value,
    },
  };
}

function isSameText(one: readonly (readonly [string, string])[], other: readonly (readonly [string, string])[]) {
  const text = (pairs: readonly (readonly [string, string])[]) => JSON.stringify([...pairs].sort());
  return text(one) === text(other);
}

function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray percent sign is part of the name.
  }
}
