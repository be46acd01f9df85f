/**
 * Shows an answer to the user. A client with the MCP Apps extension shows a page, which receives a handle and reads the painted answer by it: no row is in
 * the model's context. Any other client gets a picture and a text.
 */
import { z } from 'zod';
import type {
  FallbackTask,
  MarkupTask,
  MoreRead,
  PicturePool,
  PictureResult,
} from '../../router/capabilities/answer-pictures.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import { CHART_MODES } from '../../router/chart-modes.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { InternalError, ServiceError, ValidationError } from '../../router/errors.ts';
import { objectSchema } from '../../router/json-schema.ts';
import { once } from '../../router/once.ts';
import { parseInput } from '../../router/parse-input.ts';
import { zoneNamed } from '../../router/time-zone.ts';
import { outlineOf } from '../../router/tools/agent-schema.ts';
import type { ToolOutcome } from '../../router/tools/tools.ts';
import { VIEW_FORMS } from '../../router/view-forms.ts';
import { isAccepted } from '../files/index.ts';
import { CHAT_PAGE_URI } from './chat-page.ts';
import type { KeptCalls } from './kept-calls.ts';

export const SHOW_ANSWER = 'show_answer';
export const PAINT_ANSWER = 'paint_answer';

/** The tools that `show_answer` is made of: for a query, and for a document. */
export const VIEW_ANSWER = 'view_answer';
const RUN_DOCUMENT = 'run_document';

const Locale = z
  .string()
  .max(35)
  .refine((tag) => isAccepted(() => Intl.getCanonicalLocales(tag)), 'locale must be a BCP 47 tag such as de-CH');

const ShowAnswer = z
  .strictObject({
    query: z.record(z.string(), z.unknown()).optional(),
    path: z.string().max(1_000).optional(),
    tileId: z.string().max(100).optional(),
    title: z.string().max(200).optional(),
    view: z.enum(VIEW_FORMS).default('chart'),
    mode: z.enum(CHART_MODES).optional(),
    locale: Locale.optional(),
  })
  .refine(({ query, path }) => (query === undefined) !== (path === undefined), {
    path: ['query'],
    message: 'Give either query or path.',
  })
  .refine(({ path, tileId }) => tileId === undefined || path !== undefined, {
    path: ['tileId'],
    message: 'tileId needs the path of its dashboard.',
  });
type ShowAnswer = z.output<typeof ShowAnswer>;

const MIN_WIDTH = 200;
const MAX_WIDTH = 2_000;

const PaintAnswer = z.strictObject({
  handle: z.uuid(),
  view: z.enum(VIEW_FORMS),
  width: z.int().min(MIN_WIDTH).max(MAX_WIDTH),
  locale: Locale,
  timeZone: z
    .string()
    .refine((name) => zoneNamed(name) !== undefined, 'timeZone must be an IANA name such as Europe/Berlin'),
});

const inputSchema = once(() => ({ ...outlineOf(objectSchema(ShowAnswer, 'input')), additionalProperties: false }));

/** The tool as agents know it. Its members have only types in the list; a wrong value is answered with the legal ones. */
export const showAnswerTool = {
  name: SHOW_ANSWER,
  title: 'Show an answer as a chart',
  description:
    'Shows the answer of `query` (a request of run_semantic_query or run_query) or of `path` (a saved query, with `tileId` a dashboard) to the user, who wants to see it; to read it yourself, run it. `view`: chart (default), table, matrix or kpi. `mode`: bar, line, pie, …; by default what fits. `locale`: of a client without charts.',
  get inputSchema() {
    return inputSchema();
  },
  outputSchema: {
    type: 'object',
    properties: { title: { type: 'string' }, view: { type: 'string' }, rowCount: { type: 'integer' } },
  },
} as const;

/** The tool of the page. */
export const paintAnswerTool = {
  name: PAINT_ANSWER,
  title: 'Paint an answer',
  description: 'Answers the painted form of an answer of show_answer. For the page that shows it.',
  inputSchema: objectSchema(PaintAnswer, 'input'),
  outputSchema: { type: 'object', properties: { html: { type: 'string' }, marks: { type: 'array' } } },
} as const;

/** Describes the two tools to clients that show pages. */
export const PAGE_META = {
  [SHOW_ANSWER]: { ui: { resourceUri: CHAT_PAGE_URI }, 'ui/resourceUri': CHAT_PAGE_URI },
  [PAINT_ANSWER]: { ui: { visibility: ['app'] } },
} as const;

/** What a tool call answers to its client. */
export interface ShownResult {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** What showing an answer needs of a session. */
export interface Showing {
  readonly calls: KeptCalls;
  readonly pictures: PicturePool;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  /** Calls a tool of the service. */
  outcome(name: string, input: unknown): Promise<ToolOutcome>;
}

/** An answer as an embed reads it, as far as it is read here. */
const Answer = z.looseObject({
  title: z.string(),
  columns: z.array(z.looseObject({ label: z.string() })),
  meta: z.looseObject({ rowCount: z.int(), suppressed: z.looseObject({ count: z.int() }).optional() }),
});
type Answer = z.output<typeof Answer>;

/** Answers `show_answer`. @param hasPage whether the client shows the page */
export function showAnswer(input: unknown, showing: Showing, hasPage: boolean): Promise<ShownResult> {
  return guarded(async () => {
    const asked = parseInput(ShowAnswer, input);
    const read = await answerOf(asked, showing);
    if (!read.ok) return refused(read.envelope);
    const { answer } = read;
    const { view } = asked;
    const { rowCount } = answer.meta;
    const structuredContent = { title: answer.title, view, rowCount };
    if (hasPage) {
      const handle = await showing.calls.keep({ tool: SHOW_ANSWER, input: asked, digest: '' }, showing.scope);
      return {
        content: [{ type: 'text', text: summaryOf(answer, view) }],
        structuredContent,
        _meta: { 'service/answer': { handle, view, title: answer.title } },
      };
    }
    const { locale = 'en', mode } = asked;
    const task = { kind: 'fallback', answer, view, mode, locale, timeZone: 'UTC' } as const;
    const { png, text } = fallbackOf(await painted(task, asked, showing));
    return {
      content: [
        ...(png === undefined
          ? []
          : [{ type: 'image', data: Buffer.from(png).toString('base64'), mimeType: 'image/png' } as const]),
        { type: 'text', text: answer.title === '' ? text : `${answer.title}\n\n${text}` },
      ],
      structuredContent,
    };
  });
}

/** Answers `paint_answer`: makes the call of the handle once more, with the caller's present rights. */
export function paintAnswer(input: unknown, showing: Showing): Promise<ShownResult> {
  return guarded(async () => {
    const { handle, view, width, locale, timeZone } = parseInput(PaintAnswer, input);
    const kept = await showing.calls.find(handle, showing.scope);
    if (kept?.tool !== SHOW_ANSWER)
      throw ValidationError.at(['handle'], 'This handle is unknown, or older than an hour. Ask again.');
    const asked = parseInput(ShowAnswer, kept.input);
    const read = await answerOf(asked, showing);
    if (!read.ok) return refused(read.envelope);
    const { answer } = read;
    const { mode } = asked;
    const size = { width, height: heightFor(width) };
    const task = { kind: 'markup', answer, view, mode, locale, timeZone, ...size } as const;
    const { html, marks } = markupOf(await painted(task, asked, showing));
    return { content: [], structuredContent: { html, marks } };
  });
}

/** Returns the height of a chart, in CSS pixels: a chat is narrow, and scrolls. */
function heightFor(width: number): number {
  return Math.round(Math.min(420, Math.max(240, width * 0.5)));
}

type Read =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly envelope: Readonly<Record<string, unknown>> };

/** Paints an answer, with what the painter needs besides. What is refused is left out, as in the element. */
async function painted(task: MarkupTask | FallbackTask, asked: ShowAnswer, showing: Showing): Promise<PictureResult> {
  const { pictures, signal } = showing;
  const first = await pictures.run(task, signal);
  if (!('more' in first)) return first;
  const reads = first.more.map(async (more) => {
    const read = await answerOf(asked, showing, more);
    return read.ok ? [{ ...more, answer: read.answer }] : [];
  });
  return pictures.run({ ...task, more: (await Promise.all(reads)).flat() }, signal);
}

/** @param more a further parameter of the read */
async function answerOf(
  { query, path, tileId, title }: ShowAnswer,
  { outcome }: Showing,
  more?: MoreRead,
): Promise<Read> {
  const further = more === undefined ? {} : { [more.parameter]: more.value };
  const read =
    path === undefined
      ? await outcome(VIEW_ANSWER, {
          ...further,
          ...(title === undefined ? {} : { title }),
          source: { surface: query?.cube === undefined ? 'semantic' : 'cube', request: query },
        })
      : await outcome(RUN_DOCUMENT, { path, ...further, ...(tileId === undefined ? {} : { tileId }) });
  if (!read.ok) return { ok: false, envelope: inQuery(read.envelope) };
  const answer = Answer.parse(read.output);
  return { ok: true, answer: { ...answer, title: title ?? (answer.title || titleOf(answer)) } };
}

/** Names an answer without a title by its columns. */
function titleOf({ columns }: Answer): string {
  const metrics = columns.filter(({ type }) => type === 'metric').map(({ label }) => label);
  const dimensions = columns.filter(({ type }) => type !== 'metric').map(({ label }) => label);
  return [metrics.join(', '), dimensions.join(', ')].filter((part) => part !== '').join(' · ');
}

/** Returns an error with its place as the agent wrote it. */
function inQuery(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { field } = envelope;
  return typeof field === 'string' ? { ...envelope, field: field.replace(/^source\.request\b/, 'query') } : envelope;
}

/** Describes what the user sees, without its rows. */
function summaryOf({ title, columns, meta }: Answer, view: string): string {
  return JSON.stringify({
    shown: view,
    title,
    columns: columns.map(({ label }) => label),
    rowCount: meta.rowCount,
    ...(meta.suppressed === undefined ? {} : { hidden: meta.suppressed.count }),
    note: 'The user sees it. Its rows are not here: run the query to read them.',
  });
}

async function guarded(work: () => Promise<ShownResult>): Promise<ShownResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'INTERNAL') return refused(standardErrorFormat(error));
    throw error;
  }
}

function refused(envelope: Readonly<Record<string, unknown>>): ShownResult {
  return { content: [{ type: 'text', text: JSON.stringify(envelope) }], isError: true };
}

function markupOf(painted: PictureResult) {
  if ('html' in painted) return painted;
  throw new InternalError('The painter answered a text in place of a page.');
}

function fallbackOf(painted: PictureResult) {
  if ('text' in painted) return painted;
  throw new InternalError('The painter answered a page in place of a text.');
}
