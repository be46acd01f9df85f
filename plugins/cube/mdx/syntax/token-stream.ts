import { MAX_NESTING } from '../limits.ts';
import { MdxLimitError, type Position, syntaxError } from './errors.ts';
import { type Token, tokenize } from './lexer.ts';

/** Words that cannot be a name unless they are quoted. */
const RESERVED = new Set(
  (
    'AND AS CASE CAST CELL DRILLTHROUGH ELSE EMPTY END EXISTING FROM IN IS MATCHES MAXROWS FIRSTROWSET NON NOT NULL ON OR ' +
    'PROPERTIES RETURN SELECT SET THEN WHEN WHERE WITH XOR MEMBER DIMENSION'
  ).split(' '),
);

/** Tokens with a place to read from; what both parsers (statements and expressions) share. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  /** @param origin where the text begins, when it stands inside another one */
  constructor(text: string, origin?: Position) {
    this.#tokens = tokenize(text, origin);
  }

  /** Returns a token ahead without taking it. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw syntaxError({ line: 1, column: 1 }, '');
    return token;
  }

  get position(): Position {
    return this.peek().position;
  }

  /** Takes the next token. */
  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Returns whether the token is this unquoted word, regardless of letter case. */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toUpperCase() === word;
  }

  /** Returns whether a token ahead is this symbol. */
  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Reads the words if all of them are next. */
  takeWords(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.isWord(word, index))) return false;
    this.#at += words.length;
    return true;
  }

  /** Takes the next token if it is this symbol; returns whether it was. */
  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at++;
    return true;
  }

  /** Takes the next token, which has to be this word. */
  expectWord(word: string): void {
    if (!this.takeWords(word)) throw this.error(`expected ${word}.`);
  }

  /** Takes the next token, which has to be this symbol. */
  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.error(`expected '${symbol}'.`);
  }

  /** Returns whether a name can begin here. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'quoted' || (token.kind === 'word' && !RESERVED.has(token.text.toUpperCase()));
  }

  /** Takes the text of a token that has to be a whole number. */
  expectInteger(): number {
    const token = this.peek();
    if (token.kind !== 'number' || !/^\d+$/.test(token.text)) throw this.error('expected a whole number.');
    this.next();
    return Number(token.text);
  }

  /** Reads something inside something else. Throws when that goes deeper than any query that people write. */
  nested<T>(read: () => T): T {
    if (this.#depth >= MAX_NESTING) {
      throw new MdxLimitError(`The query nests more than ${MAX_NESTING} expressions in each other.`, this.position);
    }
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** Returns the error of a text that does not go on as it must. */
  error(hint?: string): Error {
    const token = this.peek();
    return syntaxError(token.position, token.kind === 'quoted' ? `[${token.text}]` : token.text, hint);
  }
}
