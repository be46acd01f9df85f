/**
 * A process with ClickHouse in it (npm `chdb`), for `clickhouse.ts`. It runs the set-up statements, then one statement after the other. It is a
 * separate process because only a kill stops a statement of chdb. Requests: the folder of chdb and the set-up; then `{ sql, settings, parameters,
 * format }`, and `next` after each part.
 */
import { createRequire } from 'node:module';

export interface ChdbRequest {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly format: string;
}
export type ChdbMessage =
  | { readonly kind: 'set-up'; readonly folder: string; readonly statements: readonly string[] }
  | { readonly kind: 'run'; readonly request: ChdbRequest }
  | { readonly kind: 'next' };
export type ChdbReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'exception'; readonly code: number; readonly text: string };

interface Session {
  query(sql: string, format?: string): string;
  queryStream(sql: string, options: { readonly format: string }): AsyncIterable<{ text(): string }>;
}

const HEADER_LINES = 2;

let session: Session | undefined;
let parts: AsyncIterator<{ text(): string }> | undefined;

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ChdbMessage) => {
  answer(message).then(
    (reply) => process.send?.(reply),
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      process.send?.({ kind: 'exception', code: Number(/Code: (\d+)/.exec(text)?.[1] ?? 0), text });
    },
  );
});

async function answer(message: ChdbMessage): Promise<ChdbReply> {
  if (message.kind === 'set-up') {
    const chdb = createRequire(import.meta.url)(message.folder) as { readonly Session: new () => Session };
    session = new chdb.Session();
    for (const statement of message.statements) session.query(statement);
    return { kind: 'ready' };
  }
  if (message.kind === 'run') {
    const { sql, settings, parameters, format } = message.request;
    for (const [name, value] of Object.entries({ ...settings, ...prefixed(parameters) }))
      session?.query(`SET ${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);
    // A session cannot unset `readonly`, so it is set per statement.
    const text = `${sql.replace(/[\s;]+$/, '')}\nSETTINGS readonly = 1`;
    parts = session?.queryStream(text, { format })[Symbol.asyncIterator]();
  }
  const part = await parts?.next();
  if (part === undefined || part.done === true) return { kind: 'end' };
  const text = part.value.text();
  // chdb begins every part with the lines of names and types; the server begins only the answer with them.
  return { kind: 'part', text: message.kind === 'run' ? text : text.split('\n').slice(HEADER_LINES).join('\n') };
}

function prefixed(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`param_${name}`, value]));
}
