interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** Replaces `Date.now` and the timers of the page. Time stands still until a test advances it. */
export class Clock {
  readonly #real = { now: Date.now, setTimeout: window.setTimeout, clearTimeout: window.clearTimeout };
  readonly #timers = new Map<number, Timer>();
  #now = Date.now();
  #lastId = 0;

  constructor() {
    Date.now = () => this.#now;
    Object.assign(window, {
      setTimeout: (run: () => void, delay = 0): number => {
        this.#lastId += 1;
        this.#timers.set(this.#lastId, { due: this.#now + delay, run });
        return this.#lastId;
      },
      clearTimeout: (id: number): void => {
        this.#timers.delete(id);
      },
    });
  }

  /** Advances the time, runs each timer at its due time, and waits after each until its promises are settled. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      const [id, { due, run }] = next;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, due);
      run();
      await this.#settle();
    }
    this.#now = end;
  }

  restore(): void {
    Date.now = this.#real.now;
    Object.assign(window, { setTimeout: this.#real.setTimeout, clearTimeout: this.#real.clearTimeout });
  }

  #next(end: number): readonly [id: number, timer: Timer] | undefined {
    return [...this.#timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
  }

  /** Resolves in a later task, after all promises that need no other task. */
  #settle(): Promise<void> {
    return new Promise((resolve) => this.#real.setTimeout.call(window, resolve));
  }
}
