/** Response headers that an operation sets in addition to its output. Cookies are headers too. */
export class Reply {
  readonly #headers: [name: string, value: string][] = [];

  /** Adds a header; the same name may be added twice (`Set-Cookie`). */
  header(name: string, value: string): void {
    this.#headers.push([name, value]);
  }

  get headers(): readonly (readonly [name: string, value: string])[] {
    return this.#headers;
  }
}
