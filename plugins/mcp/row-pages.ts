/**
 * Sends long answers in pages: the first rows with a handle, and further rows for the handle. A handle stands for a call that its caller
 * makes again, so that any node sends the next page, with the caller's present rights.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Scope } from '../../router/capabilities/identity.ts';
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { jsonPieces } from '../../router/json-pieces.ts';
import { objectSchema } from '../../router/json-schema.ts';
import type { KeptCall, KeptCalls } from './kept-calls.ts';
import { MAX_PAGE_LENGTH } from './limits.ts';

type Answer = Readonly<Record<string, unknown>>;

/** The members of answers that have the rows. */
const ROW_MEMBERS = ['records', 'data', 'matrix', 'rows', 'cellSetBody'] as const;

export const GET_ROWS = 'get_rows';

const GetRows = z.strictObject({
  handle: z.uuid().describe('`more.handle` of the answer.'),
  cursor: z
    .string()
    .regex(/^\d{1,7}$/, 'cursor is the one of the page before')
    .describe('`more.cursor` of the answer, or `cursor` of the page before.'),
});

/** The tool as it is listed. */
export const getRowsTool = {
  name: GET_ROWS,
  title: 'Get further rows',
  description:
    'Answers the next rows of an answer that has `more`. Call it until the page has no `cursor`. Prefer to ask for fewer rows: add filters, a limit, or group by fewer fields.',
  inputSchema: objectSchema(GetRows, 'input'),
  outputSchema: {
    type: 'object',
    properties: { rows: { type: 'array' }, rowCount: { type: 'integer' }, cursor: { type: 'string' } },
  },
} as const;

/** Returns an answer as it is, or its first page with a handle for the other rows. */
export async function firstPage(answer: Answer, call: Omit<KeptCall, 'digest'>, calls: KeptCalls, scope: Scope) {
  const found = rowsOf(answer);
  if (found === undefined) return answer;
  const { member, rows } = found;
  const shown = await fittingRows(rows, 0);
  if (shown === rows.length) return answer;
  const handle = await calls.keep({ ...call, digest: await digestOf(rows) }, scope);
  return {
    ...answer,
    [member]: rows.slice(0, shown),
    more: { handle, cursor: String(shown), shown, rowCount: rows.length, tool: GET_ROWS },
  };
}

export type Page =
  | { readonly ok: true; readonly output: Answer }
  | { readonly ok: false; readonly envelope: Readonly<Record<string, unknown>> };

/**
 * Answers the page of a handle.
 *
 * @param again makes the call once more
 */
export async function pageOf(
  input: unknown,
  calls: KeptCalls,
  scope: Scope,
  again: (tool: string, input: unknown) => Promise<Page>,
): Promise<Page> {
  const { data, error } = GetRows.safeParse(input);
  if (data === undefined) {
    const [issue] = error.issues;
    return refused(String(issue?.path[0] ?? ''), issue?.message ?? 'handle and cursor are needed.');
  }
  const call = await calls.find(data.handle, scope);
  // A shown answer has a handle without pages.
  if (call === undefined || call.digest === '')
    return refused('handle', 'This handle is unknown, or older than an hour. Ask again.');
  const outcome = await again(call.tool, call.input);
  if (!outcome.ok) return outcome;
  const { rows } = rowsOf(outcome.output) ?? { rows: [] };
  if ((await digestOf(rows)) !== call.digest)
    return {
      ok: false,
      envelope: { error: 'ROWS_CHANGED', message: 'The data has changed since the first page. Ask again.' },
    };
  const start = Number(data.cursor);
  if (start >= rows.length) return refused('cursor', `The answer has ${rows.length} rows, counted from 0.`);
  const end = start + (await fittingRows(rows, start));
  return {
    ok: true,
    output: {
      rows: rows.slice(start, end),
      rowCount: rows.length,
      ...(end < rows.length ? { cursor: String(end) } : {}),
    },
  };
}

function refused(field: string, message: string): Page {
  return { ok: false, envelope: { error: 'VALIDATION_ERROR', field, message } };
}

function rowsOf(answer: Answer): { readonly member: string; readonly rows: readonly unknown[] } | undefined {
  for (const member of ROW_MEMBERS) {
    const rows = answer[member];
    if (Array.isArray(rows)) return { member, rows };
  }
  return undefined;
}

/** Returns the number of rows from `start` that fit into a page: at least one. */
async function fittingRows(rows: readonly unknown[], start: number): Promise<number> {
  const yieldTurn = cooperativeYield();
  let length = 0;
  for (let at = start; at < rows.length; at++) {
    await yieldTurn();
    length += JSON.stringify(rows[at]).length + 1;
    if (length > MAX_PAGE_LENGTH) return Math.max(1, at - start);
  }
  return rows.length - start;
}

async function digestOf(rows: readonly unknown[]): Promise<string> {
  const yieldTurn = cooperativeYield();
  const hash = createHash('sha256');
  for (const piece of jsonPieces(rows)) {
    hash.update(piece);
    await yieldTurn();
  }
  return hash.digest('base64url');
}
