import { hash, parseOptions, verify } from '@node-rs/argon2';
import { RateLimitedError } from '../../router/errors.ts';
import { generatePassword } from './secrets.ts';

/** The cost of one argon2id hash. */
export interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  /** Passes. */
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
export const OWASP_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Maximum length of a hashed password, because an unlimited one would be unlimited work for any caller. */
export const MAX_PASSWORD_LENGTH = 1_024;

const AT_ONCE = 2;
const MAY_WAIT = 64;

/**
 * Hashes in the thread pool that warehouses use, too. Any caller may sign in, so only a few hashes are computed at once, a limited number wait, and
 * the rest are refused.
 */
export class PasswordHashing {
  readonly #cost: HashCost;
  /** The hash that is verified for an unknown user, so that this takes as long as a wrong password. */
  readonly #nobodys: Promise<string>;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost: HashCost = OWASP_COST) {
    this.#cost = cost;
    this.#nobodys = hash(generatePassword(), cost);
  }

  /**
   * Hashes the password in Unicode NFKC with argon2id, in PHC form.
   *
   * @throws RateLimitedError when too many are waiting
   */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password.normalize('NFKC'), this.#cost));
  }

  /**
   * Returns whether `password` matches `stored`. For an unknown user `stored` is `undefined`; the result is false after the same work.
   *
   * @throws RateLimitedError when too many are waiting
   */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const hashed = stored ?? (await this.#nobodys);
    const tooLong = password.length > MAX_PASSWORD_LENGTH;
    const matches = await this.#inTurn(() => verify(hashed, tooLong ? '' : password.normalize('NFKC')));
    return matches && !tooLong && stored !== undefined;
  }

  /** Returns whether `stored` was made at a lower cost than the current one, or by another method. */
  isOutdated(stored: string): boolean {
    if (!stored.startsWith('$argon2id$')) return true;
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return memoryCost < this.#cost.memoryCost || timeCost < this.#cost.timeCost || parallelism < this.#cost.parallelism;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < AT_ONCE) {
      this.#running++;
    } else {
      if (this.#waiting.length >= MAY_WAIT) {
        throw new RateLimitedError('Too many people are signing in at this moment. Try again in a second.', {
          retryAfterSeconds: 1,
        });
      }
      // The finished task gives its place to the next, so `#running` stays the same.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
