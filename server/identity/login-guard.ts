import { randomUUID } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import { RateLimitedError } from '../../router/errors.ts';
import type { IdentityDependencies } from './dependencies.ts';
import { sha256 } from './secrets.ts';
import type { IdentityTables } from './tables.ts';

export interface LoginLimit {
  /** Maximum number of failures in a window; 0 sets no limit. */
  readonly failures: number;
  readonly windowMs: number;
}

export const LOGIN_LIMIT: LoginLimit = { failures: 5, windowMs: 15 * 60_000 };

/** Limits the guesses of a password, for each user and address. The count is in the state store, so it applies to all nodes and after restarts. */
export class LoginGuard {
  readonly #deps: IdentityDependencies;
  readonly #limit: LoginLimit;
  #purgedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: IdentityDependencies, limit: LoginLimit = LOGIN_LIMIT) {
    this.#deps = deps;
    this.#limit = limit;
  }

  /**
   * Lets `verify` check the password unless there were too many failures. An attempt counts as a failure before it
   * starts, so that a hundred concurrent guesses are not all allowed. A success (any result except `undefined`)
   * clears the count; an error of `verify` itself is no failure of the caller.
   *
   * @param name as the caller wrote it, known or not
   * @param address of the caller; an IPv6 address counts as its /64 network, which belongs to one customer
   * @throws RateLimitedError with `retryAfterSeconds`
   */
  async attempt<Result>(
    name: string,
    address: string,
    verify: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    if (this.#limit.failures === 0) return verify();
    const account = sha256(JSON.stringify([name, ipKeyGenerator(address, 64)]));
    const id = await this.#enter(account);
    let result: Result | undefined;
    try {
      result = await verify();
    } catch (error) {
      await this.#tables.deleteFrom('login_failures').where('id', '=', id).execute();
      throw error;
    }
    if (result !== undefined) {
      await this.#tables.deleteFrom('login_failures').where('account_hash', '=', account).execute();
    }
    return result;
  }

  /**
   * Inserts before counting: of several concurrent attempts on any nodes, the last inserted one sees all others, so never more than the limit are
   * allowed.
   */
  async #enter(account: string): Promise<string> {
    const now = this.#deps.clock();
    const { failures, windowMs } = this.#limit;
    await this.#purge(now);
    const id = randomUUID();
    await this.#tables.insertInto('login_failures').values({ id, account_hash: account, at: now }).execute();
    const earlier = await this.#tables
      .selectFrom('login_failures')
      .select('at')
      .where('account_hash', '=', account)
      .where('at', '>', now - windowMs)
      .where('id', '<>', id)
      .orderBy('at', 'desc')
      .limit(failures)
      .execute();
    const oldest = earlier[failures - 1];
    if (oldest === undefined) return id;
    await this.#tables.deleteFrom('login_failures').where('id', '=', id).execute();
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at + windowMs - now) / 1_000));
    throw new RateLimitedError('Too many failed attempts to sign in. Wait before you try again.', {
      retryAfterSeconds,
    });
  }

  /** Deletes failures that no longer count, at most once a window on each node. */
  async #purge(now: number): Promise<void> {
    const { windowMs } = this.#limit;
    if (now - this.#purgedAt < windowMs) return;
    this.#purgedAt = now;
    await this.#tables
      .deleteFrom('login_failures')
      .where('at', '<=', now - windowMs)
      .execute();
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}
