import type { GetToken, Holder, TokenRequest } from '../contract.ts';
import { Failure } from '../read/failure.ts';

export interface HeldToken {
  /** Rejects with a retriable failure when `getToken` fails; attempts go on by themselves. */
  token(): Promise<string>;
  /** Another token than `refused`. */
  renew(refused: string | undefined): Promise<string>;
  release(): void;
}

/** A token is renewed when this much of its time is left, but never later than `LEAST_LEAD` before its end. */
const LEAD = 0.1;
const LEAST_LEAD = 30_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;
/** What a browser's timer holds. */
const LONGEST_TIMER = 2_000_000_000;

/** One token for all elements of a page that show the same resource by the same `getToken`. */
class SharedToken {
  readonly #getToken: GetToken;
  readonly #request: TokenRequest;
  readonly #holders = new Set<Holder>();
  #token: string | undefined;
  #expiresAt = Number.POSITIVE_INFINITY;
  #renewAt = Number.POSITIVE_INFINITY;
  /** The call in flight. */
  #call: Promise<string> | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(getToken: GetToken, request: TokenRequest) {
    this.#getToken = getToken;
    this.#request = request;
  }

  hold(holder: Holder): HeldToken {
    if (this.#holders.size === 0) addEventListener('online', this);
    this.#holders.add(holder);
    this.#plan();
    return {
      token: () => this.#current(),
      renew: (refused) => this.#renew(refused),
      release: () => this.#release(holder),
    };
  }

  /** The page is online again: what failed for want of a connection is tried at once. */
  handleEvent(): void {
    if (this.#failures > 0) this.#attempt();
  }

  #release(holder: Holder): void {
    this.#holders.delete(holder);
    if (this.#holders.size > 0) return;
    clearTimeout(this.#timer);
    removeEventListener('online', this);
  }

  #current(): Promise<string> {
    const usable = this.#token !== undefined && Date.now() < this.#expiresAt;
    return usable && this.#token !== undefined ? Promise.resolve(this.#token) : this.#fetch();
  }

  #renew(refused: string | undefined): Promise<string> {
    // Another element may have renewed it while this one waited for its refusal.
    if (this.#token !== undefined && this.#token !== refused) return this.#current();
    this.#token = undefined;
    return this.#fetch();
  }

  #fetch(): Promise<string> {
    this.#call ??= this.#ask().finally(() => {
      this.#call = undefined;
      this.#plan();
    });
    return this.#call;
  }

  async #ask(): Promise<string> {
    const late = this.#failures > 0;
    try {
      const given: unknown = await this.#getToken(this.#request);
      const { token, expiresAt } = read(given);
      this.#token = token;
      this.#expiresAt = expiresAt;
      const left = expiresAt - Date.now();
      this.#renewAt = expiresAt - Math.min(Math.max(left * LEAD, LEAST_LEAD), left / 2);
      this.#failures = 0;
    } catch {
      // Why the page has no token is the page's own affair; the embed says that it has none, and tries again.
      this.#failures += 1;
      throw new Failure('TOKEN_UNAVAILABLE');
    }
    if (late) for (const holder of this.#holders) holder.resumed();
    return this.#token;
  }

  /** The next thing to do by itself: to try again after a failure, or to renew in time. */
  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#holders.size === 0) return;
    if (this.#failures > 0) {
      const pause = Math.min(FIRST_RETRY * 2 ** (this.#failures - 1), LAST_RETRY);
      // Not all pages at the same moment.
      this.#timer = setTimeout(() => this.#attempt(), pause * (0.75 + Math.random() / 2));
    } else if (Number.isFinite(this.#renewAt)) {
      const wait = Math.min(Math.max(this.#renewAt - Date.now(), 0), LONGEST_TIMER);
      this.#timer = setTimeout(() => this.#expire(), wait);
    }
  }

  #expire(): void {
    if (Date.now() < this.#renewAt) {
      this.#plan();
      return;
    }
    const expiresAt = new Date(this.#expiresAt);
    const wanted = [...this.#holders].map((holder) => holder.expiring(expiresAt)).includes(true);
    // Where the page renews it by itself, the token is asked for only when it is needed and over.
    this.#renewAt = Number.POSITIVE_INFINITY;
    if (wanted) this.#attempt();
  }

  #attempt(): void {
    this.#fetch().catch(() => {
      // Counted by `#ask`, and planned again.
    });
  }
}

function read(given: unknown): { readonly token: string; readonly expiresAt: number } {
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
  throw new TypeError('getToken gave no token.');
}

const shared = new WeakMap<GetToken, Map<string, SharedToken>>();

export function hold(getToken: GetToken, { server, kind, path }: TokenRequest, holder: Holder): HeldToken {
  const tokens = shared.get(getToken) ?? new Map<string, SharedToken>();
  shared.set(getToken, tokens);
  const name = JSON.stringify([server, kind, path]);
  const token = tokens.get(name) ?? new SharedToken(getToken, { server, kind, path });
  tokens.set(name, token);
  return token.hold(holder);
}
