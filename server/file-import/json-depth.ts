/** Measures how deep the values of a JSON text are nested. Pure. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The depth of a JSON text in UTF-8 that comes in pieces. */
export class JsonDepth {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The greatest depth so far. */
  greatest = 0;

  add(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText) {
        if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isText = false;
      } else if (byte === QUOTE) this.#isText = true;
      else if (OPENING.has(byte)) {
        this.#depth++;
        if (this.#depth > this.greatest) this.greatest = this.#depth;
      } else if (CLOSING.has(byte)) this.#depth--;
    }
  }
}
