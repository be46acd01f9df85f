import { frames } from './frames.ts';

/** Replaces `fetch`: requests wait until the test answers them, in any order. */
export class Network {
  readonly calls: Call[] = [];
  readonly #real = globalThis.fetch;

  constructor() {
    globalThis.fetch = (input, init) =>
      new Promise((resolve, reject) => {
        this.calls.push(new Call(new URL(String(input)), init ?? {}, resolve, reject));
      });
  }

  /** Returns the only or the n-th request; fails the test when there is none. */
  call(index = 0): Call {
    const call = this.calls[index];
    if (!call) throw new Error(`Request ${index} was never made; there were ${this.calls.length}.`);
    return call;
  }

  /** Finds the request whose path ends so. */
  to(end: string): Call {
    const call = this.calls.find(({ url }) => url.pathname.endsWith(end));
    if (!call) throw new Error(`No request to ${end} among ${this.calls.map(({ url }) => url.pathname).join(', ')}.`);
    return call;
  }

  restore(): void {
    globalThis.fetch = this.#real;
  }
}

export class Call {
  readonly url: URL;
  readonly init: RequestInit;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: Error) => void;

  constructor(url: URL, init: RequestInit, resolve: (response: Response) => void, reject: (reason: Error) => void) {
    this.url = url;
    this.init = init;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get headers(): Headers {
    return new Headers(this.init.headers);
  }

  get aborted(): boolean {
    return this.init.signal?.aborted ?? false;
  }

  answer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    this.#resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
  }

  /** Answers, and waits until the page has handled the answer: until an equal body, read later, has been read. */
  async answerAndSettle(body: object): Promise<void> {
    this.answer(body);
    await new Response(JSON.stringify(body)).json();
    await frames(1);
  }

  breakOff(): void {
    this.#reject(new TypeError('Failed to fetch'));
  }
}
