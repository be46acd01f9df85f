import { randomUUID } from 'node:crypto';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { Caller } from '../../router/capabilities/identity.ts';
import { APPS_SESSION, showsPages } from './chat-page.ts';

const SESSION_HEADER = 'mcp-session-id';

/**
 * Cancels calls of clients that speak the protocol of 2025. Such a client sends a separate request that names the call
 * by its id within the session. The session is a name that the client sends with each call; nothing is kept between
 * calls. (Clients of 2026 close the connection of the call.)
 */
export class Cancellation {
  readonly #running = new Map<string, AbortController>();

  /** Returns a signal that aborts when the client cancels this call, and a function to run when the call has ended. */
  begin(headers: Headers | undefined, caller: Caller, id: unknown): { readonly signal: AbortSignal; end(): void } {
    const controller = new AbortController();
    const session = headers?.get(SESSION_HEADER);
    if (session == null) return { signal: controller.signal, end() {} };
    const key = requestKey(session, caller, id);
    this.#running.set(key, controller);
    return {
      signal: controller.signal,
      end: () => {
        if (this.#running.get(key) === controller) this.#running.delete(key);
      },
    };
  }

  /** Cancels the call that a cancel message names; ignores other messages. */
  hear(headers: Headers, caller: Caller, body: unknown): void {
    const { method, params } = (body ?? {}) as Message;
    const session = headers.get(SESSION_HEADER);
    if (method !== 'notifications/cancelled' || session === null) return;
    this.#running.get(requestKey(session, caller, params?.requestId))?.abort();
  }
}

/** Names a session in the answer to a client's first request. The name says whether the client shows pages. */
export function withSession(answer: Response, body: unknown): Response {
  if (!answer.ok || !isInitializeRequest(body)) return answer;
  const kind = showsPages(body.params.capabilities) ? APPS_SESSION : '';
  answer.headers.set(SESSION_HEADER, `${kind}${randomUUID()}`);
  return answer;
}

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

function requestKey(session: string, caller: Caller, id: unknown): string {
  const user = caller.kind === 'user' ? [caller.tenant, caller.user] : [];
  return JSON.stringify([...user, session, id]);
}
