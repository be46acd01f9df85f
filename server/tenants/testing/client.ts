/** Calls any operation of a running server as its OpenAPI document declares it, so that tests repeat no declaration. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']) })),
  requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

export interface DeclaredOperation extends z.infer<typeof Operation> {
  readonly method: string;
  readonly path: string;
}

/** Reads the operations of a server. */
export async function declaredOperations(url: string, authorization: string): Promise<readonly DeclaredOperation[]> {
  const answer = await fetch(`${url}/rest/service/api/openapi.json`, { headers: { authorization } });
  const { paths } = Document.parse(await answer.json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

/** The input of a call. */
export interface Call {
  /** Parameters of the path, the query and the headers. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A multipart body: files by the names of their parts. */
  readonly files?: Readonly<Record<string, { readonly name: string; readonly text: string }>>;
  readonly embedToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without credentials. */
  readonly isAnonymous?: true;
}

/** The caller: a user with a password, and an API key of the same tenant and roles. */
export interface Caller {
  readonly basic: string;
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export class ApiClient {
  readonly #url: string;
  readonly #caller: Caller;
  #csrf: string | undefined;

  constructor(url: string, caller: Caller) {
    this.#url = url;
    this.#caller = caller;
  }

  /** Calls an operation. Areas A and B receive the key; other operations the user, who may own embeds. */
  async call(operation: DeclaredOperation, call: Call = {}): Promise<Answer> {
    const { method, path } = operation;
    const headers = new Headers({ accept: 'application/json', ...call.headers });
    if (call.isAnonymous !== true) {
      const isKeyed = path.startsWith('/me/');
      headers.set('authorization', isKeyed ? `Bearer ${this.#caller.key}` : this.#caller.basic);
      if (!isKeyed && method !== 'GET') {
        const token = await this.#csrfToken();
        headers.set('cookie', `XSRF-TOKEN=${token}`);
        headers.set('x-xsrf-token', token);
      }
    }
    if (call.embedToken !== undefined) headers.set('x-service-embed-token', call.embedToken);
    const target = this.#target(operation, call.parameters ?? {}, headers);
    const response = await fetch(target, { method, headers, ...bodyOf(call, headers) });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Sends one message of the Model Context Protocol in a new session; returns the text of the answer. */
  async agent(method: string, params: object = {}): Promise<string> {
    const response = await fetch(`${this.#url}/rest/service/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#caller.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.text();
  }

  #target(
    { path, parameters }: DeclaredOperation,
    parameterValues: Call['parameters'] & object,
    headers: Headers,
  ): URL {
    const query = new URLSearchParams();
    let target = path;
    for (const [name, value] of Object.entries(parameterValues)) {
      const declared = parameters.find((each) => each.name === name);
      if (declared === undefined) throw new Error(`${path} has no parameter ${name}`);
      if (declared.in === 'query') query.set(name, value);
      else if (declared.in === 'header') headers.set(name, value);
      else target = target.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
    }
    return new URL(`${target}${query.size === 0 ? '' : `?${query}`}`, this.#url);
  }

  /** Returns the CSRF cookie, which any answer to a caller without one sets. */
  async #csrfToken(): Promise<string> {
    if (this.#csrf !== undefined) return this.#csrf;
    const answer = await fetch(`${this.#url}/rest/service/api/session`, {
      headers: { authorization: this.#caller.basic },
    });
    const token = /XSRF-TOKEN=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1];
    if (token === undefined) throw new Error(`no CSRF cookie: ${answer.status} ${await answer.text()}`);
    this.#csrf = token;
    return token;
  }
}

function bodyOf({ body, files }: Call, headers: Headers): RequestInit {
  if (files !== undefined) {
    const form = new FormData();
    for (const [part, { name, text }] of Object.entries(files)) form.set(part, new Blob([text]), name);
    return { body: form };
  }
  if (body === undefined) return {};
  headers.set('content-type', 'application/json');
  return { body: JSON.stringify(body) };
}

/** Repeats a call until `fits` accepts its answer. */
export async function until<Given extends Pick<Answer, 'status' | 'text'>>(
  call: () => Promise<Given>,
  fits: (answer: Given) => boolean,
): Promise<Given> {
  for (let tries = 0; ; tries++) {
    const answer = await call();
    if (fits(answer)) return answer;
    if (tries === 200) throw new Error(`it never came: ${answer.status} ${answer.text}`);
    await wait(50);
  }
}
