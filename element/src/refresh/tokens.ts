import { Failure } from '../api/failure.ts';
import {
  MAX_TIMER_MS,
  MAX_TOKEN_RETRY_MS,
  MIN_TOKEN_RENEWAL_LEAD_MS,
  MIN_TOKEN_RETRY_MS,
  TOKEN_RENEWAL_SHARE,
} from '../limits.ts';
import type { GetToken, TokenListener, TokenRequest } from '../types.ts';

export interface TokenLease {
  /** Rejects with a retriable failure when `getToken` fails; the attempts continue. */
  token(): Promise<string>;
  /** Returns another token than `refused`. */
  renew(refused: string | undefined): Promise<string>;
  release(): void;
}

/** Shares one token between all elements of a page that show the same resource with the same `getToken`. */
class SharedToken {
  readonly #getToken: GetToken;
  readonly #request: TokenRequest;
  readonly #listeners = new Set<TokenListener>();
  #token: string | undefined;
  #expiresAt = Number.POSITIVE_INFINITY;
  #renewAt = Number.POSITIVE_INFINITY;
  /** The pending call. */
  #call: Promise<string> | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(getToken: GetToken, request: TokenRequest) {
    this.#getToken = getToken;
    this.#request = request;
  }

  acquire(listener: TokenListener): TokenLease {
    if (this.#listeners.size === 0) addEventListener('online', this);
    this.#listeners.add(listener);
    this.#schedule();
    return {
      token: () => this.#usableToken(),
      renew: (refused) => this.#renew(refused),
      release: () => this.#release(listener),
    };
  }

  /** Tries again at once when the page is online again. */
  handleEvent(): void {
    if (this.#failures > 0) this.#retry();
  }

  #release(listener: TokenListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    removeEventListener('online', this);
  }

  #usableToken(): Promise<string> {
    const usable = this.#token !== undefined && Date.now() < this.#expiresAt;
    return usable && this.#token !== undefined ? Promise.resolve(this.#token) : this.#fetchToken();
  }

  #renew(refused: string | undefined): Promise<string> {
    // Another element may have renewed the token before this one was refused.
    if (this.#token !== undefined && this.#token !== refused) return this.#usableToken();
    this.#token = undefined;
    return this.#fetchToken();
  }

  #fetchToken(): Promise<string> {
    this.#call ??= this.#callGetToken().finally(() => {
      this.#call = undefined;
      this.#schedule();
    });
    return this.#call;
  }

  async #callGetToken(): Promise<string> {
    const isRetry = this.#failures > 0;
    try {
      const given: unknown = await this.#getToken(this.#request);
      const { token, expiresAt } = parseGivenToken(given);
      this.#token = token;
      this.#expiresAt = expiresAt;
      const left = expiresAt - Date.now();
      this.#renewAt = expiresAt - Math.min(Math.max(left * TOKEN_RENEWAL_SHARE, MIN_TOKEN_RENEWAL_LEAD_MS), left / 2);
      this.#failures = 0;
    } catch {
      // The page knows why it has no token. The embed only reports that it has none, and tries again.
      this.#failures += 1;
      throw new Failure('TOKEN_UNAVAILABLE');
    }
    if (isRetry) for (const listener of this.#listeners) listener.resumed();
    return this.#token;
  }

  /** Schedules the next call: another attempt after a failure, or a renewal in time. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) return;
    if (this.#failures > 0) {
      const pause = Math.min(MIN_TOKEN_RETRY_MS * 2 ** (this.#failures - 1), MAX_TOKEN_RETRY_MS);
      // The delay is random, so that not all pages call at the same moment.
      this.#timer = setTimeout(() => this.#retry(), pause * (0.75 + Math.random() / 2));
    } else if (Number.isFinite(this.#renewAt)) {
      const wait = Math.min(Math.max(this.#renewAt - Date.now(), 0), MAX_TIMER_MS);
      this.#timer = setTimeout(() => this.#renewBeforeExpiry(), wait);
    }
  }

  #renewBeforeExpiry(): void {
    if (Date.now() < this.#renewAt) {
      this.#schedule();
      return;
    }
    const expiresAt = new Date(this.#expiresAt);
    const isAllowed = [...this.#listeners].map((listener) => listener.expiring(expiresAt)).includes(true);
    // Where the page renews tokens itself, the element calls `getToken` only after the token has ended.
    this.#renewAt = Number.POSITIVE_INFINITY;
    if (isAllowed) this.#retry();
  }

  #retry(): void {
    this.#fetchToken().catch(() => {
      // `#ask` counts the failure and schedules the next attempt.
    });
  }
}

function parseGivenToken(given: unknown): { readonly token: string; readonly expiresAt: number } {
  if (typeof given === 'string' && given !== '') return { token: given, expiresAt: Number.POSITIVE_INFINITY };
  if (
    typeof given === 'object' &&
    given !== null &&
    'token' in given &&
    typeof given.token === 'string' &&
    given.token !== ''
  ) {
    const expiresAt =
      'expiresAt' in given && typeof given.expiresAt === 'number' ? given.expiresAt : Number.POSITIVE_INFINITY;
    return { token: given.token, expiresAt };
  }
  throw new TypeError('getToken returned no token.');
}

const sharedTokens = new WeakMap<GetToken, Map<string, SharedToken>>();

/** Shares the token of a resource until `release` is called. */
export function acquireToken(
  getToken: GetToken,
  { server, kind, path }: TokenRequest,
  listener: TokenListener,
): TokenLease {
  const tokens = sharedTokens.get(getToken) ?? new Map<string, SharedToken>();
  sharedTokens.set(getToken, tokens);
  const name = JSON.stringify([server, kind, path]);
  const token = tokens.get(name) ?? new SharedToken(getToken, { server, kind, path });
  tokens.set(name, token);
  return token.acquire(listener);
}
