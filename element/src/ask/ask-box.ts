import { type Answer, parseAnswer } from '../api/answer.ts';
import { type Access, encodePath, SESSION, type Source, send } from '../api/client.ts';
import { boolean, list, optionalText, record, text } from '../api/json.ts';
import { readEvents } from './events.ts';

/** What a box shows before anything is asked. */
export interface AskBox {
  readonly title: string;
  readonly description: string | undefined;
  readonly suggestions: readonly string[];
  /** Whether questions can be asked at present. */
  readonly configured: boolean;
}

/** A turn of the conversation, as the server takes it. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** How far a question is. */
export type Progress = 'thinking' | 'checking' | 'mending' | 'running';

export type AskResult =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** The query that was answered, as JSON. */
      readonly query: string;
      readonly followUps: readonly string[];
    }
  | { readonly kind: 'not-understood'; readonly message: string; readonly suggestions: readonly string[] }
  /** `code` as in the envelopes of the server. */
  | { readonly kind: 'failed'; readonly code: string };

/** Reads what a box is about. */
export async function readAskBox(source: Source, access: Access, signal: AbortSignal): Promise<AskBox> {
  return parseAskBox(await (await send(source, access, tailOf(source), signal)).json());
}

/** Reads the body of `GET …/embed/ai/{path}`. Throws for anything else. */
export function parseAskBox(body: unknown): AskBox {
  const json = record(body);
  return {
    title: text(json.title),
    description: optionalText(json.description),
    suggestions: list(json.suggestions).map(text),
    configured: boolean(json.configured),
  };
}

/** Asks a question; `onProgress` is told how far it is. */
export async function askQuestion(
  source: Source,
  access: Access,
  question: { readonly question: string; readonly history: readonly Turn[] },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<AskResult> {
  const csrf = (await access.token()) === SESSION ? csrfHeader(document.cookie) : {};
  const response = await send(source, access, tailOf(source), signal, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...csrf },
    body: JSON.stringify(question),
  });
  for await (const { event, data } of readEvents(response)) {
    if (event === 'thinking') onProgress('thinking');
    if (event === 'query') onProgress('checking');
    if (event === 'validation') onProgress(data.valid === true ? 'running' : 'mending');
    if (event === 'answer') {
      const followUps = list(data.followUps).map(text);
      return { kind: 'answer', answer: parseAnswer(data), query: JSON.stringify(data.queryUsed, null, 2), followUps };
    }
    if (event === 'error') return failureOf(data);
  }
  return { kind: 'failed', code: 'NETWORK_ERROR' };
}

function failureOf({ error, message, available }: Readonly<Record<string, unknown>>): AskResult {
  if (error !== 'OFF_TOPIC') return { kind: 'failed', code: String(error) };
  return { kind: 'not-understood', message: text(message), suggestions: list(available ?? []).map(text) };
}

/** Repeats the cookie that the service gives its own pages: it believes a question by a session only with it. */
function csrfHeader(cookies: string): Readonly<Record<string, string>> {
  const pair = cookies.split('; ').find((each) => each.startsWith('XSRF-TOKEN='));
  return pair === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(pair.slice(pair.indexOf('=') + 1)) };
}

function tailOf({ path }: Source): string {
  return `ai/${encodePath(path)}`;
}
