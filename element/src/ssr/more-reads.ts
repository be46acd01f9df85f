import type { Answer } from '../api/parse-answer.ts';
import type { ReadMore } from './static-host.ts';

/** Names one read more: the address of an answer with one more query parameter. */
export interface MoreToRead {
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  readonly parameter: 'others' | 'without';
  /** JSON. */
  readonly value: string;
}

/** Reads what views ask for besides their answers. They are drawn once more when all is read. */
export class MoreReads {
  readonly #pending: Promise<unknown>[] = [];
  readonly #read: (more: MoreToRead) => Promise<Answer>;

  constructor(read: (more: MoreToRead) => Promise<Answer>) {
    this.#read = read;
  }

  readonly read: ReadMore = (tile, more) => {
    const answer =
      'others' in more
        ? this.#read({ tile, parameter: 'others', value: more.others })
        : this.#read({ tile, parameter: 'without', value: more.without });
    // A view shows what it can without a read that failed.
    this.#pending.push(answer.catch(() => undefined));
    return answer;
  };

  /** Waits for all reads, and returns whether there were any. */
  async all(): Promise<boolean> {
    await Promise.all(this.#pending);
    return this.#pending.length > 0;
  }
}
