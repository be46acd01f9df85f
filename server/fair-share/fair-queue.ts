/** Waiting callers of one sharer, and the number of its running statements. */
interface Share<Waiter> {
  readonly waiting: Set<Waiter>;
  running: number;
  /** Number of its last turn. */
  lastTurn: number;
}

/**
 * Serves users in turn, however many statements each of them queues. No user runs more than `most` statements at a
 * time. One user's waiters are served in the order of arrival.
 */
export class FairQueue<Waiter> {
  readonly #most: number;
  readonly #shares = new Map<string, Share<Waiter>>();
  #waiting = 0;
  #turn = 0;

  /** @param most running at a time of one sharer; 0 for no bound */
  constructor(most: number) {
    this.#most = most === 0 ? Number.POSITIVE_INFINITY : most;
  }

  /** Counts all waiters, including the waiters of users at their limit. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Counts the waiting callers that would be served if there were room for all of them. */
  get ready(): number {
    let ready = 0;
    for (const { waiting, running } of this.#shares.values()) ready += Math.min(waiting.size, this.#most - running);
    return ready;
  }

  /** Counts a sharer's running statements, and its waiters before this one. */
  before(
    sharer: string,
    waiter: Waiter,
  ): { readonly running: number; readonly waiting: number; readonly isAtLimit: boolean } {
    const { running, waiting } = this.#shares.get(sharer) ?? { running: 0, waiting: new Set<Waiter>() };
    const place = [...waiting].indexOf(waiter);
    return { running, waiting: Math.max(0, place), isAtLimit: running >= this.#most };
  }

  add(sharer: string, waiter: Waiter): void {
    // A new user is served before the user of the last turn, and after all users who wait longer.
    const share = this.#shares.get(sharer) ?? { waiting: new Set(), running: 0, lastTurn: this.#turn - 0.5 };
    this.#shares.set(sharer, share);
    share.waiting.add(waiter);
    this.#waiting++;
  }

  /** Removes a caller that no longer waits. */
  drop(sharer: string, waiter: Waiter): void {
    const share = this.#shares.get(sharer);
    if (share?.waiting.delete(waiter) !== true) return;
    this.#waiting--;
    this.#forgetIdle(sharer, share);
  }

  /** Takes the next waiter; its statement runs until `ended`. Returns `undefined` when nobody may run. */
  next(): { readonly sharer: string; readonly waiter: Waiter } | undefined {
    let next: readonly [sharer: string, share: Share<Waiter>] | undefined;
    for (const entry of this.#shares) {
      const [, { waiting, running, lastTurn }] = entry;
      if (waiting.size === 0 || running >= this.#most) continue;
      if (next === undefined || lastTurn < next[1].lastTurn) next = entry;
    }
    if (next === undefined) return undefined;
    const [sharer, share] = next;
    const [waiter] = share.waiting;
    if (waiter === undefined) return undefined;
    share.waiting.delete(waiter);
    share.running++;
    share.lastTurn = ++this.#turn;
    this.#waiting--;
    return { sharer, waiter };
  }

  ended(sharer: string): void {
    const share = this.#shares.get(sharer);
    if (share === undefined) return;
    share.running--;
    this.#forgetIdle(sharer, share);
  }

  #forgetIdle(sharer: string, { waiting, running }: Share<Waiter>): void {
    if (running === 0 && waiting.size === 0) this.#shares.delete(sharer);
  }
}
