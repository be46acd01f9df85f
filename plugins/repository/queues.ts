/** Runs the changes of one key one after the other, so that a check and the write after it are one step. */
export class Queues {
  readonly #lastByKey = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lastByKey.get(key) ?? Promise.resolve();
    const running = before.then(work, work);
    this.#lastByKey.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#lastByKey.get(key) === running) this.#lastByKey.delete(key);
    }
  }
}
