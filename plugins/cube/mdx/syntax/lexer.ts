import { type Position, START, syntaxError } from './errors.ts';

/**
 * MDX text to tokens. White space is dropped, and comments: from `--` or `//` to the end of the line, and between slash
 * and star (which do not nest). A line ends with LF, CR or both.
 */
export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly position: Position; readonly start: number }
  /** `[quoted]`, with `]]` read as `]`. */
  | { readonly kind: 'quoted'; readonly text: string; readonly position: Position; readonly start: number }
  | {
      readonly kind: 'string';
      readonly text: string;
      readonly quote: "'" | '"';
      readonly position: Position;
      readonly start: number;
    }
  | { readonly kind: 'number'; readonly text: string; readonly position: Position; readonly start: number }
  | { readonly kind: 'symbol'; readonly text: string; readonly position: Position; readonly start: number }
  | { readonly kind: 'end'; readonly text: string; readonly position: Position; readonly start: number };

const SYMBOLS = [
  '<>',
  '<=',
  '>=',
  '||',
  '!',
  '(',
  ')',
  '{',
  '}',
  ',',
  '.',
  ':',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '&',
  ';',
];
const WORD_START = /[\p{L}_$@]/u;
const WORD_PART = /[\p{L}\p{N}_$]/u;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

/** @param origin where the text begins, when it stands inside another one */
export function tokenize(text: string, origin: Position = START): readonly Token[] {
  const lexer = new Lexer(text, origin);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  readonly #origin: Position;

  constructor(text: string, origin: Position) {
    this.#text = text;
    this.#origin = origin;
  }

  next(): Token {
    this.#skip();
    const position = this.#position();
    const start = this.#at;
    const char = this.#text[start];
    if (char === undefined) return { kind: 'end', text: '<EOF>', position, start };
    if (char === '[') return { kind: 'quoted', text: this.#delimited(']', position), position, start };
    if (char === "'" || char === '"') {
      return { kind: 'string', quote: char, text: this.#delimited(char, position), position, start };
    }
    if (/[\d.]/.test(char)) {
      NUMBER.lastIndex = start;
      const number = NUMBER.exec(this.#text)?.[0];
      if (number !== undefined) {
        this.#at += number.length;
        return { kind: 'number', text: number, position, start };
      }
    }
    if (WORD_START.test(char)) {
      while (WORD_PART.test(this.#text[this.#at] ?? '') || this.#at === start) this.#at++;
      return { kind: 'word', text: this.#text.slice(start, this.#at), position, start };
    }
    const symbol = SYMBOLS.find((candidate) => this.#text.startsWith(candidate, start));
    if (symbol === undefined) throw syntaxError(position, char);
    this.#at += symbol.length;
    return { kind: 'symbol', text: symbol, position, start };
  }

  #position(): Position {
    const { line, column } = this.#origin;
    const own = this.#at - this.#lineStart;
    return { line: line + this.#line - 1, column: this.#line === 1 ? column + own : own + 1 };
  }

  /** One character on, counting lines. */
  #advance(): void {
    const char = this.#text[this.#at++];
    if (char === '\n' || (char === '\r' && this.#text[this.#at] !== '\n')) {
      this.#line++;
      this.#lineStart = this.#at;
    }
  }

  #skip(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char !== undefined && /[\s\u{feff}]/u.test(char)) this.#advance();
      else if (this.#text.startsWith('--', this.#at) || this.#text.startsWith('//', this.#at)) {
        while (this.#at < this.#text.length && !/[\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const position = this.#position();
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) throw syntaxError(position, '/*', 'the comment does not end.');
        while (this.#at < end + 2) this.#advance();
      } else return;
    }
  }

  /** What stands between the delimiters; a doubled closing one stands for itself. */
  #delimited(close: string, position: Position): string {
    this.#at++;
    let result = '';
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) throw syntaxError(position, close === ']' ? '[' : close, `${close} is missing.`);
      if (char === close) {
        if (this.#text[this.#at + 1] !== close) break;
        this.#at++;
      }
      result += char;
      this.#advance();
    }
    this.#at++;
    return result;
  }
}
