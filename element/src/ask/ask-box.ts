import { type Access, encodePath, SESSION, type Source, send } from '../api/client.ts';
import { readBoolean, readList, readOptionalText, readRecord, readText } from '../api/json.ts';
import { type Answer, parseAnswer } from '../api/parse-answer.ts';
import { readEvents } from './events.ts';

/** Describes a box before the first question. */
export interface AskBox {
  readonly title: string;
  readonly description: string | undefined;
  readonly suggestions: readonly string[];
  /** Whether the box accepts questions at present. */
  readonly configured: boolean;
}

/** A turn of the conversation, in the form that the server accepts. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Names the stages of answering a question. */
export type Progress = 'thinking' | 'checking' | 'mending' | 'running';

/** The person or group that certified an answer, and the day, as `2026-11-26`. */
export interface Certification {
  readonly by: string | undefined;
  readonly at: string | undefined;
}

/** A reading of a question that the visitor may choose. */
export interface Reading {
  readonly label: string;
  /** Its query, as JSON. */
  readonly query: string;
}

/** A question with what the server needs to answer it. */
export interface Asked {
  readonly question: string;
  readonly history: readonly Turn[];
  /** Whether the server may ask one question back. */
  readonly clarify?: boolean;
  /** The query to answer instead of asking the language model. */
  readonly request?: object;
}

export type AskResult =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** The query behind the answer, as JSON. */
      readonly query: string;
      readonly followUps: readonly string[];
      readonly certified: Certification | undefined;
    }
  | { readonly kind: 'clarification'; readonly question: string; readonly readings: readonly Reading[] }
  | { readonly kind: 'not-understood'; readonly message: string; readonly suggestions: readonly string[] }
  /** `code` as in the server's error bodies. */
  | { readonly kind: 'failed'; readonly code: string };

/** Reads title, description and suggestions of a box. */
export async function readAskBox(source: Source, access: Access, signal: AbortSignal): Promise<AskBox> {
  return parseAskBox(await (await send(source, access, askAddress(source), signal)).json());
}

/** Reads the body of `GET …/embed/ai/{path}`. Throws for anything else. */
export function parseAskBox(body: unknown): AskBox {
  const json = readRecord(body);
  return {
    title: readText(json.title),
    description: readOptionalText(json.description),
    suggestions: readList(json.suggestions).map(readText),
    configured: readBoolean(json.configured),
  };
}

/** Asks a question, and calls `onProgress` at each stage. */
export async function askQuestion(
  source: Source,
  access: Access,
  question: Asked,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<AskResult> {
  const response = await post(source, access, askAddress(source), question, signal);
  for await (const { event, data } of readEvents(response)) {
    if (event === 'thinking') onProgress('thinking');
    if (event === 'query') onProgress('checking');
    if (event === 'validation') onProgress(data.valid === true ? 'running' : 'mending');
    if (event === 'answer') {
      const followUps = readList(data.followUps).map(readText);
      const query = JSON.stringify(data.queryUsed, null, 2);
      return { kind: 'answer', answer: parseAnswer(data), query, followUps, certified: parseCertification(data) };
    }
    if (event === 'clarification') return parseClarification(data);
    if (event === 'error') return parseAskError(data);
  }
  return { kind: 'failed', code: 'NETWORK_ERROR' };
}

/** Marks an answer as wrong, for the owners of the model. */
export async function markWrong(source: Source, access: Access, question: string, query: string): Promise<void> {
  const mark = { question, verdict: 'wrong', queryUsed: JSON.parse(query) as unknown };
  await post(source, access, `feedback/${encodePath(source.path)}`, mark, new AbortController().signal);
}

async function post(
  source: Source,
  access: Access,
  tail: string,
  body: object,
  signal: AbortSignal,
): Promise<Response> {
  const csrf = (await access.token()) === SESSION ? csrfHeader(document.cookie) : {};
  return send(source, access, tail, signal, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...csrf },
    body: JSON.stringify(body),
  });
}

function parseClarification({ question, readings }: Readonly<Record<string, unknown>>): AskResult {
  return {
    kind: 'clarification',
    question: readText(question),
    readings: readList(readings).map((each) => {
      const { label, request } = readRecord(each);
      return { label: readText(label), query: JSON.stringify(readRecord(request)) };
    }),
  };
}

/** Reads the mark of a certified answer. */
function parseCertification({ certified }: Readonly<Record<string, unknown>>): Certification | undefined {
  if (certified === undefined) return undefined;
  const { by, at } = readRecord(certified);
  return { by: readOptionalText(by), at: readOptionalText(at) };
}

function parseAskError({ error, message, available }: Readonly<Record<string, unknown>>): AskResult {
  // Problems of a corrected query come with the legal names, which are no questions.
  if (error === 'VALIDATION_ERROR') {
    const legal = readList(available ?? [])
      .slice(0, MAX_NAMED)
      .map(readText);
    return { kind: 'not-understood', message: [readText(message), ...legal].join(' · '), suggestions: [] };
  }
  if (error !== 'OFF_TOPIC') return { kind: 'failed', code: String(error) };
  return { kind: 'not-understood', message: readText(message), suggestions: readList(available ?? []).map(readText) };
}

/** Number of legal names that a problem of a query is shown with. */
const MAX_NAMED = 8;

/** Returns the header that repeats the CSRF cookie: the server accepts a question by session only with it. */
function csrfHeader(cookies: string): Readonly<Record<string, string>> {
  const pair = cookies.split('; ').find((each) => each.startsWith('XSRF-TOKEN='));
  return pair === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(pair.slice(pair.indexOf('=') + 1)) };
}

function askAddress({ path }: Source): string {
  return `ai/${encodePath(path)}`;
}
