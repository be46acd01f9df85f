import { msg, str } from '@lit/localize';
import { asciiJson } from '../../../router/ascii-json.ts';
import { language } from '../words/words.ts';
import { withBasePath } from './base-path.ts';
import { isObject, type JsonObject } from './json.ts';

/** Provides the browser's functions. Tests pass their own. */
export interface Browser {
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Returns `document.cookie`. */
  cookies(): string;
  /** Says a message of the server in the visitor's language; absent where that is the server's. */
  inWords?(message: string): Promise<string>;
}

/** A mistake of a request: its place, such as `rows[1].field`, and the legal values, the nearest first. */
export interface RequestProblem {
  readonly field: string;
  readonly message: string;
  readonly available: readonly string[];
}

/** Signals that the server refused a request or could not be reached. The user can read `message`. */
export class RequestFailedError extends Error {
  /** Undefined when no answer arrived. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The place of the mistake in the request. */
  readonly field: string | undefined;
  /** The legal values of that place. */
  readonly available: readonly string[];
  /** The mistakes of the request, each at its place. */
  readonly problems: readonly RequestProblem[];

  constructor(
    message: string,
    details: {
      readonly status?: number | undefined;
      readonly code?: string | undefined;
      readonly problems?: readonly RequestProblem[] | undefined;
      readonly retryAfterSeconds?: number | undefined;
      readonly field?: string | undefined;
      readonly available?: readonly string[] | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'RequestFailedError';
    this.status = details.status;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.field = details.field;
    this.available = details.available ?? [];
    this.problems = details.problems ?? [];
  }
}

/** Whom an administrator views as: what the answers contain is at most what both may see. */
export interface ViewAs {
  readonly role?: string;
  readonly attributes?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** An event of an answer that arrives in pieces. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/** Sends requests to the server of this page, with the session cookie. */
export class Client {
  readonly #browser: Browser;
  /** Set while an administrator views as somebody. */
  viewAs: ViewAs | undefined;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Returns whether somebody may be signed in. Every session has the cookie XSRF-TOKEN, so without it nobody is signed
   * in.
   */
  get isMaybeSignedIn(): boolean {
    return readCsrfToken(this.#browser.cookies()) !== undefined;
  }

  get<T>(path: string, parse: (json: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#send('GET', path, {}, parse, signal);
  }

  /** Sends a body as JSON; undefined sends none. */
  post<T>(path: string, body: unknown, parse: (json: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#write('POST', path, body, parse, signal);
  }

  /**
   * Sends a body as JSON, and returns the events of the answer as they arrive. An error before the first event is thrown, as by any call.
   * (`EventSource` sends neither a body nor a header.)
   */
  async *postForEvents(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
    const response = await this.#fetch('POST', path, this.#jsonOf(body, {}), signal);
    if (!response.ok) throw await this.#inWords(toRequestFailedError(response, await readJsonBody(response)));
    for await (const { event, data } of readEvents(response)) {
      // The status was sent before the failure.
      if (event === 'error') throw await this.#inWords(toRequestFailedError(response, data));
      yield { event, data };
    }
  }

  /** Sends files and fields as `multipart/form-data`. */
  postForm<T>(path: string, form: FormData, parse: (json: unknown) => T, signal?: AbortSignal): Promise<T> {
    const csrf = readCsrfToken(this.#browser.cookies());
    const headers = csrf === undefined ? {} : { 'X-XSRF-TOKEN': csrf };
    return this.#send('POST', path, { headers, body: form }, parse, signal);
  }

  /** Replaces what is at an address. `headers` are conditions, such as `If-Match`. */
  put<T>(
    path: string,
    body: unknown,
    parse: (json: unknown) => T,
    signal?: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    return this.#write('PUT', path, body, parse, signal, headers);
  }

  delete<T>(path: string, parse: (json: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#write('DELETE', path, undefined, parse, signal);
  }

  #write<T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    parse: (json: unknown) => T,
    signal: AbortSignal | undefined,
    conditions: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    return this.#send(method, path, this.#jsonOf(body, conditions), parse, signal);
  }

  /** Returns what a request sends of a body; undefined sends none. */
  #jsonOf(body: unknown, conditions: Readonly<Record<string, string>>): Sending {
    const csrf = readCsrfToken(this.#browser.cookies());
    return {
      headers: {
        ...conditions,
        ...(csrf === undefined ? {} : { 'X-XSRF-TOKEN': csrf }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  async #send<T>(
    method: string,
    path: string,
    sending: Sending,
    parse: (json: unknown) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const response = await this.#fetch(method, path, sending, signal);
    const json = await readJsonBody(response);
    if (!response.ok) throw await this.#inWords(toRequestFailedError(response, json));
    return parse(json);
  }

  async #fetch(
    method: string,
    path: string,
    { headers = {}, ...rest }: Sending,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    try {
      return await this.#browser.fetch(path, {
        method,
        // Without this header the server may answer 401 with a challenge, and the browser opens its own password box.
        headers: {
          Accept: 'application/json',
          ...(this.viewAs === undefined ? {} : { 'X-Service-View-As': asciiJson(this.viewAs) }),
          ...headers,
        },
        credentials: 'same-origin',
        ...(signal === undefined ? {} : { signal }),
        ...rest,
      });
    } catch (cause) {
      if (signal?.aborted === true) throw cause;
      throw await this.#inWords(
        new RequestFailedError(msg('The server cannot be reached. Check that it is running, then try again.'), {
          cause,
        }),
      );
    }
  }

  /** Returns an error with its messages in the visitor's language. */
  async #inWords(error: RequestFailedError): Promise<RequestFailedError> {
    const { inWords } = this.#browser;
    if (inWords === undefined) return error;
    const problems = error.problems.map(async (each) => ({ ...each, message: await inWords(each.message) }));
    const said = { problems: await Promise.all(problems), cause: error.cause };
    return new RequestFailedError(await inWords(error.message), { ...error, ...said });
  }
}

/** Reads server-sent events as they arrive. */
async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = `${rest}${value}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const [, event] = /^event: (.*)$/m.exec(part) ?? [];
        const [, data] = /^data: (.*)$/m.exec(part) ?? [];
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}

async function readJsonBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy's error page is not JSON; the status then describes the failure.
    if (!response.ok) return undefined;
    throw new RequestFailedError(msg('The server answered with something that is not JSON.'), {
      status: response.status,
      cause,
    });
  }
}

function toRequestFailedError(response: Response, json: unknown): RequestFailedError {
  const body = isObject(json) ? json : {};
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new RequestFailedError(
    typeof body.message === 'string' ? body.message : msg(str`The server answered with status ${response.status}.`),
    {
      status: response.status,
      code: typeof body.error === 'string' ? body.error : undefined,
      retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
      field: typeof body.field === 'string' ? body.field : undefined,
      available: Array.isArray(body.available) ? body.available.map(String) : [],
      problems: readProblems(body),
    },
  );
}

/** Reads the mistakes of an error body: those that it lists, else the one that it is about. */
function readProblems(body: JsonObject): readonly RequestProblem[] {
  const listed = Array.isArray(body.problems) && body.problems.length > 0 ? body.problems : [body];
  return listed
    .filter(isObject)
    .flatMap(({ field, message, available }) =>
      typeof field === 'string' && typeof message === 'string'
        ? [{ field, message, available: Array.isArray(available) ? available.map(String) : [] }]
        : [],
    );
}

/**
 * Returns the value of the cookie XSRF-TOKEN. The server accepts a write only when a script of its own origin repeats
 * it.
 */
export function readCsrfToken(cookies: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === 'XSRF-TOKEN')
      return decodeCookieValue(pair.slice(equals + 1).trim());
  }
  return undefined;
}

function decodeCookieValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A stray percent sign: the value is not encoded.
    return value;
  }
}

export function createBrowserClient(): Client {
  return new Client({
    fetch: (path, init) => window.fetch(withBasePath(path), init),
    cookies: () => document.cookie,
    // Only pages in another language need the sentences of the server, and only for an error.
    ...(language === 'en'
      ? {}
      : { inWords: async (message) => (await import('../words/server-words.ts')).inWords(message) }),
  });
}
