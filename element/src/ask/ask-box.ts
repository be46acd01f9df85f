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

export type AskResult =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** The query behind the answer, as JSON. */
      readonly query: string;
      readonly followUps: readonly string[];
      readonly certified: Certification | undefined;
    }
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
  question: { readonly question: string; readonly history: readonly Turn[] },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<AskResult> {
  const csrf = (await access.token()) === SESSION ? csrfHeader(document.cookie) : {};
  const response = await send(source, access, askAddress(source), signal, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...csrf },
    body: JSON.stringify(question),
  });
  for await (const { event, data } of readEvents(response)) {
    if (event === 'thinking') onProgress('thinking');
    if (event === 'query') onProgress('checking');
    if (event === 'validation') onProgress(data.valid === true ? 'running' : 'mending');
    if (event === 'answer') {
      const followUps = readList(data.followUps).map(readText);
      const query = JSON.stringify(data.queryUsed, null, 2);
      return { kind: 'answer', answer: parseAnswer(data), query, followUps, certified: parseCertification(data) };
    }
    if (event === 'error') return parseAskError(data);
  }
  return { kind: 'failed', code: 'NETWORK_ERROR' };
}

/** Reads the mark of a certified answer. */
function parseCertification({ certified }: Readonly<Record<string, unknown>>): Certification | undefined {
  if (certified === undefined) return undefined;
  const { by, at } = readRecord(certified);
  return { by: readOptionalText(by), at: readOptionalText(at) };
}

function parseAskError({ error, message, available }: Readonly<Record<string, unknown>>): AskResult {
  if (error !== 'OFF_TOPIC') return { kind: 'failed', code: String(error) };
  return { kind: 'not-understood', message: readText(message), suggestions: readList(available ?? []).map(readText) };
}

/** Returns the header that repeats the CSRF cookie: the server accepts a question by session only with it. */
function csrfHeader(cookies: string): Readonly<Record<string, string>> {
  const pair = cookies.split('; ').find((each) => each.startsWith('XSRF-TOKEN='));
  return pair === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(pair.slice(pair.indexOf('=') + 1)) };
}

function askAddress({ path }: Source): string {
  return `ai/${encodePath(path)}`;
}
