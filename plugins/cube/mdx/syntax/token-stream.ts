import { MAX_NESTING } from '../limits.ts';
import { MdxLimitError, type Position, syntaxError } from './errors.ts';
import { type Token, tokenize } from './lexer.ts';

/** Words that must be quoted to be names. */
const RESERVED = new Set(
  (
    'AND AS CASE CAST CELL DRILLTHROUGH ELSE EMPTY END EXISTING FROM IN IS MATCHES MAXROWS FIRSTROWSET NON NOT NULL ON OR ' +
    'PROPERTIES RETURN SELECT SET THEN WHEN WHERE WITH XOR MEMBER DIMENSION'
  ).split(' '),
);

/** Reads tokens in order. The parsers of statements and expressions share it. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  /** @param origin the position at which the text begins, if it is part of another text */
  constructor(text: string, origin?: Position) {
    this.#tokens = tokenize(text, origin);
  }

  /** Returns a later token without taking it. */
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

  /** Returns whether a token is this unquoted word, in any letter case. */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toUpperCase() === word;
  }

  /** Returns whether a token is this symbol. */
  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Takes the words if they are the next tokens; returns whether they are. */
  takeWords(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.isWord(word, index))) return false;
    this.#at += words.length;
    return true;
  }

  /** Takes the next token if it is this symbol; returns whether it is. */
  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at++;
    return true;
  }

  /** Takes the next token, which must be this word. */
  expectWord(word: string): void {
    if (!this.takeWords(word)) throw this.error(`expected ${word}.`);
  }

  /** Takes the next token, which must be this symbol. */
  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.error(`expected '${symbol}'.`);
  }

  /** Returns whether a name begins here. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'quoted' || (token.kind === 'word' && !RESERVED.has(token.text.toUpperCase()));
  }

  /** Takes a token that must be a whole number, and returns the number. */
  expectInteger(): number {
    const token = this.peek();
    if (token.kind !== 'number' || !/^\d+$/.test(token.text)) throw this.error('expected a whole number.');
    this.next();
    return Number(token.text);
  }

  /**
   * Reads a nested expression. Limits the depth of nesting.
   *
   * @throws MdxLimitError if the text nests too deeply
   */
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

  /** Returns the syntax error for the next token. */
  error(hint?: string): Error {
    const token = this.peek();
    return syntaxError(token.position, token.kind === 'quoted' ? `[${token.text}]` : token.text, hint);
  }
}
