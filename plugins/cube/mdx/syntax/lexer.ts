import { MAX_TEXT_LENGTH } from '../limits.ts';
import { MdxLimitError, type Position, START, syntaxError } from './errors.ts';

/**
 * A token of MDX text. White space and comments are dropped. A comment starts with `--` or `//` and ends with the line,
 * or is between slash-star and star-slash, without nesting. A line ends with LF, CR or both.
 */
export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly position: Position; readonly start: number }
  /** `[quoted]`, where `]]` is read as `]`. */
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

const SYMBOL = /<>|<=|>=|\|\||[!(){},.:=<>+\-*/&;]/y;
const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*/uy;
const BLANKS = /[\s\u{feff}]+/uy;
const LINE_COMMENT = /(?:--|\/\/)[^\r\n]*/y;
const LF = 0x0a;
const CR = 0x0d;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

/**
 * Returns the tokens of a text. The last one is `end`.
 *
 * @param origin the position at which the text begins, if it is part of another text
 * @throws MdxLimitError if the text is too long
 * @throws MdxError if the text is not MDX
 */
export function tokenize(text: string, origin: Position = START): readonly Token[] {
  if (text.length > MAX_TEXT_LENGTH)
    throw new MdxLimitError(`The text has ${text.length} characters; MDX has at most ${MAX_TEXT_LENGTH}.`, origin);
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

  /**
   * Returns the next token.
   *
   * @throws MdxError if no token begins here
   */
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
    const number = this.#match(NUMBER);
    if (number !== undefined) return { kind: 'number', text: number, position, start };
    const word = this.#match(WORD);
    if (word !== undefined) return { kind: 'word', text: word, position, start };
    const symbol = this.#match(SYMBOL);
    if (symbol === undefined) throw syntaxError(position, char);
    return { kind: 'symbol', text: symbol, position, start };
  }

  /** Returns the match of a sticky regular expression at the current position. */
  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const matched = expression.exec(this.#text)?.[0];
    this.#at += matched?.length ?? 0;
    return matched;
  }

  #position(): Position {
    const { line, column } = this.#origin;
    const lineOffset = this.#at - this.#lineStart;
    return { line: line + this.#line - 1, column: this.#line === 1 ? column + lineOffset : lineOffset + 1 };
  }

  /** Moves to a position and counts the lines before it. */
  #advanceTo(end: number): void {
    for (; this.#at < end; this.#at++) {
      const char = this.#text.charCodeAt(this.#at);
      if (char === LF || (char === CR && this.#text.charCodeAt(this.#at + 1) !== LF)) {
        this.#line++;
        this.#lineStart = this.#at + 1;
      }
    }
  }

  #skip(): void {
    for (;;) {
      const begun = this.#at;
      const blanks = this.#match(BLANKS);
      if (blanks !== undefined) {
        this.#at = begun;
        this.#advanceTo(begun + blanks.length);
      } else if (this.#match(LINE_COMMENT) === undefined) {
        if (!this.#text.startsWith('/*', begun)) return;
        const end = this.#text.indexOf('*/', begun + 2);
        if (end < 0) throw syntaxError(this.#position(), '/*', 'the comment does not end.');
        this.#advanceTo(end + 2);
      }
    }
  }

  /** Reads the text between delimiters. A doubled closing delimiter stands for itself. */
  #delimited(close: string, position: Position): string {
    const parts: string[] = [];
    for (let begin = this.#at + 1; ; begin = this.#at + 1) {
      const end = this.#text.indexOf(close, begin);
      if (end < 0) throw syntaxError(position, close === ']' ? '[' : close, `${close} is missing.`);
      this.#advanceTo(end + 1);
      if (this.#text[end + 1] !== close) return [...parts, this.#text.slice(begin, end)].join('');
      parts.push(this.#text.slice(begin, end + 1));
    }
  }
}
