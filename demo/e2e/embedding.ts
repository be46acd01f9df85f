import type { Locator } from 'playwright';
import type { Product } from './product.ts';

/** Headers that every answer to an embed read has, by the interface. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store, max-age=0',
};

/** Mints a token over REST, with the documented one-line request. */
export async function mintToken(
  product: Product,
  resourceKind: string,
  resourcePath: string,
  viewer?: object,
): Promise<string> {
  const { status, body } = await product.call('POST', '/rest/service/api/embed/tokens', {
    resourceKind,
    resourcePath,
    ...(viewer === undefined ? {} : { viewer }),
  });
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  return (body as { token: string }).token;
}

/** Copies a document of the demo to a path without a public grant. */
export async function savePrivateQuery(product: Product, path: string, from: string): Promise<void> {
  const key = await signInOverRest(product);
  const original = await product.call('GET', `/rest/service/api/repository/${from}`);
  const { document } = original.body as { document: unknown };
  const response = await fetch(`${product.url}/rest/service/api/repository/${path}`, {
    method: 'PUT',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
  if (!response.ok) throw new Error(`not saved: ${response.status} ${await response.text()}`);
}

/** Signs in over REST, and returns the headers of a writing request. */
export async function signInOverRest(product: Product): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${product.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: product.password }),
  });
  if (!response.ok) throw new Error(`not signed in: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(csrf) };
}

interface Answer {
  readonly columns: readonly {
    readonly key: string;
    readonly label: string;
    readonly type: string;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Returns the header and the rows that a table must show, from the server's own answer: formatted text where it
 * contains some.
 */
export async function readAnswerRows(
  product: Product,
  path: string,
  token: string,
): Promise<readonly (readonly string[])[]> {
  const response = await fetch(`${product.url}/rest/service/api/embed/query/${path}`, {
    headers: { 'x-service-embed-token': token },
  });
  const { columns, records } = (await response.json()) as Answer;
  return [
    columns.map(({ label }) => label),
    ...records.map((record) =>
      columns.map(({ key, labels }) => labels?.[String(record[key])] ?? cellText(record[key])),
    ),
  ];
}

function cellText(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null && 'formatted' in cell) return String(cell.formatted);
  return String(cell);
}

/** Reads the texts of a table's header and body cells. */
export async function tableCells(table: Locator): Promise<readonly (readonly string[])[]> {
  const rows = await table.locator('tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim())));
}
