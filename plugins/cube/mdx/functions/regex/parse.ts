import { anyOf, ESCAPED, isLineEnd, isWord, not, propertyClass } from './classes.ts';
import { type Assertion, type CodePoints, MAX_PATTERN_LENGTH, type Pattern, PatternError } from './pattern.ts';

/** Flags by their letter: `(?i)` ignores the case of ASCII letters, with `u` of all; `s`, `m`, `d`, `x` as in Java. */
type Flags = ReadonlySet<string>;

const FLAGS = 'imsdxuU';
const END_OF_TEXT: Assertion = (text, at) => at === text.length;
const START_OF_TEXT: Assertion = (_, at) => at === 0;
/** Matches at the end of the text, also before a line end that is the last thing in it. */
const LAST_LINE_END: Assertion = (text, at) =>
  at === text.length ||
  (at === text.length - 1 && isLineEnd(text[at] ?? 0) && !(text[at] === 10 && text[at - 1] === 13)) ||
  (at === text.length - 2 && text[at] === 13 && text[at + 1] === 10);
const WORD_BORDER: Assertion = (text, at) => isWord(text[at - 1] ?? 0) !== isWord(text[at] ?? 0);

/**
 * Reads a regular expression as Java writes it.
 *
 * @throws PatternError where it is none, is too long, or refers back to a group, which cannot be matched in linear time.
 */
export function parsePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) throw new PatternError(`it has more than ${MAX_PATTERN_LENGTH} characters`);
  return new Parser(source).whole();
}

class Parser {
  readonly #source: readonly string[];
  #at = 0;
  #flags: Flags = new Set();

  constructor(source: string) {
    this.#source = [...source];
  }

  whole(): Pattern {
    const pattern = this.#choice();
    if (this.#at < this.#source.length) throw this.#wrong("a ')' closes nothing");
    return pattern;
  }

  #wrong(what: string): PatternError {
    return new PatternError(`${what} (character ${this.#at + 1})`);
  }

  #peek(ahead = 0): string | undefined {
    return this.#source[this.#at + ahead];
  }

  #next(): string {
    const character = this.#source[this.#at];
    if (character === undefined) throw this.#wrong('it ends too early');
    this.#at += 1;
    return character;
  }

  #take(text: string): boolean {
    for (const [index, character] of [...text].entries()) if (this.#peek(index) !== character) return false;
    this.#at += text.length;
    return true;
  }

  #until(end: string): string {
    let found = '';
    while (!this.#take(end)) found += this.#next();
    return found;
  }

  #choice(): Pattern {
    const before = this.#flags;
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    this.#flags = before;
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  #sequence(): Pattern {
    const items: Pattern[] = [];
    for (;;) {
      this.#comments();
      const character = this.#peek();
      if (character === undefined || character === '|' || character === ')') return { kind: 'sequence', items };
      if (this.#take('\\Q')) {
        items.push(...this.#quoted());
        continue;
      }
      const atom = this.#atom();
      if (atom !== undefined) items.push(this.#repeated(atom));
    }
  }

  /** Skips comments: with the flag `x` white space and what stands behind `#` means nothing. */
  #comments(): void {
    if (!this.#flags.has('x')) return;
    for (let next = this.#peek(); next !== undefined && /[\s#]/.test(next); next = this.#peek()) {
      this.#at += 1;
      if (next === '#') while (this.#peek() !== undefined && this.#next() !== '\n');
    }
  }

  /** Parses what stands between `\Q` and `\E` (or the end); what repeats it repeats its last character. */
  #quoted(): readonly Pattern[] {
    const literals: Pattern[] = [];
    while (this.#peek() !== undefined && !this.#take('\\E')) literals.push(this.#one(this.#literal(this.#next())));
    const last = literals.pop();
    return last === undefined ? [] : [...literals, this.#repeated(last)];
  }

  #repeated(atom: Pattern): Pattern {
    let body = atom;
    for (;;) {
      this.#comments();
      const times = this.#times();
      if (times === undefined) return body;
      const [min, max] = times;
      const isLazy = this.#take('?');
      body = { kind: 'repeat', body, min, max, isLazy };
      if (!isLazy && this.#take('+')) body = { kind: 'atomic', body };
    }
  }

  #times(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const found = /^(\d{1,9})(,(\d{0,9}))?$/.exec(this.#until('}'));
    if (found === null) throw this.#wrong('a repetition is {n}, {n,} or {n,m}');
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (max < min) throw this.#wrong(`a repetition from ${min} to ${max} is none`);
    return [min, max];
  }

  #atom(): Pattern | undefined {
    const character = this.#next();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#one(this.#ignoringCase(this.#class()));
      case '.':
        if (this.#flags.has('s')) return this.#one(() => true);
        return this.#one(this.#flags.has('d') ? (code) => code !== 10 : not(isLineEnd));
      case '^':
        if (!this.#flags.has('m')) return { kind: 'assert', holds: START_OF_TEXT };
        return {
          kind: 'assert',
          holds: (text, at) => at === 0 || (at < text.length && isLineEnd(text[at - 1] ?? 0)),
        };
      case '$':
        if (!this.#flags.has('m')) return { kind: 'assert', holds: LAST_LINE_END };
        return { kind: 'assert', holds: (text, at) => at === text.length || isLineEnd(text[at] ?? 0) };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
      case '{':
        this.#at -= 1;
        throw this.#wrong(`'${character}' repeats nothing`);
      default:
        return this.#one(this.#literal(character));
    }
  }

  #one(of: CodePoints): Pattern {
    return { kind: 'one', of };
  }

  #literal(character: string): CodePoints {
    const wanted = character.codePointAt(0);
    return this.#ignoringCase((code) => code === wanted);
  }

  #ignoringCase(of: CodePoints): CodePoints {
    if (!this.#flags.has('i')) return of;
    const all = this.#flags.has('u');
    return (code) =>
      of(code) || ((all || code < 128) && otherCases(code).some((other) => (all || other < 128) && of(other)));
  }

  #group(): Pattern | undefined {
    if (!this.#take('?')) return this.#closed(this.#choice());
    if (this.#take(':')) return this.#closed(this.#choice());
    if (this.#take('>')) return { kind: 'atomic', body: this.#closed(this.#choice()) };
    for (const isBehind of [false, true]) {
      for (const isNegative of [false, true]) {
        if (this.#take(`${isBehind ? '<' : ''}${isNegative ? '!' : '='}`))
          return { kind: 'look', body: this.#closed(this.#choice()), isBehind, isNegative };
      }
    }
    if (this.#take('<')) {
      if (!/^[A-Za-z][A-Za-z0-9]*$/.test(this.#until('>')))
        throw this.#wrong('a group has a name of letters and digits');
      return this.#closed(this.#choice());
    }
    return this.#flagged();
  }

  /** Parses flags: `(?i)` up to the end of the group it stands in, `(?i-s:X)` for X. */
  #flagged(): Pattern | undefined {
    const flags = new Set(this.#flags);
    let isOn = true;
    for (;;) {
      const character = this.#next();
      if (character === '-') isOn = false;
      else if (FLAGS.includes(character)) isOn ? flags.add(character) : flags.delete(character);
      else if (character === ')') {
        this.#flags = flags;
        return undefined;
      } else if (character === ':') {
        const before = this.#flags;
        this.#flags = flags;
        const body = this.#closed(this.#choice());
        this.#flags = before;
        return body;
      } else throw this.#wrong(`'(?${character}' is unknown`);
    }
  }

  #closed(body: Pattern): Pattern {
    if (!this.#take(')')) throw this.#wrong("a ')' is missing");
    return body;
  }

  #escape(): Pattern | undefined {
    const character = this.#peek();
    const assertions: Readonly<Record<string, Assertion>> = {
      A: START_OF_TEXT,
      G: START_OF_TEXT,
      z: END_OF_TEXT,
      Z: LAST_LINE_END,
      b: WORD_BORDER,
      B: (text, at) => !WORD_BORDER(text, at),
    };
    const holds = character !== undefined && Object.hasOwn(assertions, character) ? assertions[character] : undefined;
    if (holds !== undefined) {
      this.#at += 1;
      return { kind: 'assert', holds };
    }
    if (this.#take('E')) return undefined;
    if (this.#take('R')) return LINE_END;
    if (character === 'k' || (character !== undefined && /[1-9]/.test(character)))
      throw this.#wrong('it refers back to a group, which this engine does not do');
    return this.#one(this.#escaped());
  }

  /** Parses what stands behind a backslash, outside and inside of a class. */
  #escaped(): CodePoints {
    const character = this.#next();
    const known = Object.hasOwn(ESCAPED, character) ? ESCAPED[character] : undefined;
    if (known !== undefined) return known;
    if (character === 'p' || character === 'P') {
      const of = propertyClass(this.#take('{') ? this.#until('}') : this.#next());
      return this.#ignoringCase(character === 'p' ? of : not(of));
    }
    return this.#literal(this.#escapedCharacter(character));
  }

  #escapedCharacter(character: string): string {
    const controls: Readonly<Record<string, string>> = {
      t: '\t',
      n: '\n',
      r: '\r',
      f: '\f',
      a: '\u0007',
      e: '\u001b',
    };
    const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
    if (control !== undefined) return control;
    if (character === 'c') return String.fromCodePoint((this.#next().codePointAt(0) ?? 0) ^ 64);
    if (character === '0') return this.#coded(/^[0-7]{1,3}/, 8);
    if (character === 'u') return this.#coded(/^[\da-f]{4}/i, 16);
    if (character === 'x' && this.#take('{')) return this.#coded(/^[\da-f]+(?=\})/i, 16, 1);
    if (character === 'x') return this.#coded(/^[\da-f]{2}/i, 16);
    if (/^[A-Za-z]$/.test(character)) throw this.#wrong(`'\\${character}' is unknown`);
    return character;
  }

  #coded(digits: RegExp, base: number, behind = 0): string {
    const [found] = digits.exec(this.#source.slice(this.#at, this.#at + 8).join('')) ?? [];
    const code = Number.parseInt(found ?? '', base);
    if (found === undefined || code > 0x10ffff) throw this.#wrong('the code of a character is missing');
    this.#at += found.length + behind;
    return String.fromCodePoint(code);
  }

  /** Parses a class such as `[a-z&&[^aeiou]]`: ranges, classes in it, and what several classes have in common. */
  #class(): CodePoints {
    const isNegated = this.#take('^');
    const common: CodePoints[] = [];
    let united: CodePoints[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      if (this.#take('&&')) {
        common.push(anyOf(...united));
        united = [];
        if (this.#peek() === ']') break;
      } else if (this.#take('[')) united.push(this.#class());
      else if (this.#take('\\Q')) {
        while (!this.#take('\\E')) united.push(this.#literal(this.#next()));
      } else united.push(this.#rangeOrOne());
    }
    this.#at += 1;
    if (united.length > 0) common.push(anyOf(...united));
    const all: CodePoints = (code) => common.every((of) => of(code));
    return isNegated ? not(this.#ignoringCase(all)) : all;
  }

  #rangeOrOne(): CodePoints {
    const first = this.#classCharacter();
    if (typeof first !== 'string') return first;
    if (this.#peek() !== '-' || this.#peek(1) === ']' || this.#peek(1) === '[' || this.#peek(1) === undefined)
      return this.#literal(first);
    this.#at += 1;
    const last = this.#classCharacter();
    const [from, to] = [first.codePointAt(0) ?? 0, typeof last === 'string' ? (last.codePointAt(0) ?? 0) : -1];
    if (to < from) throw this.#wrong('a range goes from a character to a later one');
    return (code) => code >= from && code <= to;
  }

  /** Parses a character, or the class that an escape stands for. */
  #classCharacter(): string | CodePoints {
    const character = this.#next();
    if (character !== '\\') return character;
    const next = this.#peek() ?? '';
    if (Object.hasOwn(ESCAPED, next) || next === 'p' || next === 'P') return this.#escaped();
    return this.#escapedCharacter(this.#next());
  }
}

const LINE_END: Pattern = {
  kind: 'atomic',
  body: {
    kind: 'choice',
    branches: [
      {
        kind: 'sequence',
        items: [13, 10].map((wanted): Pattern => ({ kind: 'one', of: (code) => code === wanted })),
      },
      { kind: 'one', of: (code) => code === 11 || code === 12 || isLineEnd(code) },
    ],
  },
};

function otherCases(code: number): readonly number[] {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].flatMap((other) => {
    const [only, ...more] = [...other];
    return more.length > 0 ? [] : (only?.codePointAt(0) ?? []);
  });
}
