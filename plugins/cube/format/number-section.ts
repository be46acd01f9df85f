import { inGroups, shortDecimalWriter } from '../../../router/short-decimal.ts';
import { type Digits, fractionDigits, rounded, shifted, wholeDigits } from './digits.ts';
import type { Locale } from './locale.ts';
import { asLiteral, type Character } from './section.ts';

/** Formats a number without its sign. `sign` is written before everything. */
export interface NumberSection {
  /** True if the section writes any digit. A section without digits is a text such as `Nil`. */
  readonly hasDigits: boolean;
  /** Returns whether the value is zero in all places of this section. */
  isZero(value: Digits): boolean;
  write(value: Digits, sign: string): string;
  /**
   * Writes a positive double as `write` writes its digits, several times as fast; `undefined` where rounding by binary arithmetic could differ,
   * or where the double is zero in all places.
   */
  writeDouble?: ((value: number, sign: string) => string | undefined) | undefined;
  /** Writes a word such as `Infinity` instead of digits. */
  writeWord(word: string, sign: string): string;
}

type Token =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'digit'; readonly always: boolean }
  | { readonly kind: 'point' }
  | { readonly kind: 'exponent'; readonly letter: string; readonly plus: boolean; readonly digits: number };

/**
 * Reads a section. `0` is a digit that is always written, `#` one that is written if needed; `.` is the decimal point
 * (the last one counts); `,` among digits means groups, and after them thousandths; `%` multiplies by a hundred;
 * `E+00`, `e-0` are the exponent of scientific notation. Everything else is written unchanged.
 */
export function numberSection(characters: readonly Character[], locale: Locale): NumberSection {
  const { tokens, scale, grouped } = tokensOf(characters);
  const pointAt = tokens.findIndex(({ kind }) => kind === 'point');
  const exponent = tokens.find((token) => token.kind === 'exponent');
  const isDigit = (token: Token) => token.kind === 'digit';
  const hasDigits = tokens.some(isDigit);
  const wholePlaces = tokens.filter((token, index) => isDigit(token) && (pointAt < 0 || index < pointAt)).length;
  const fraction = tokens.filter((token, index) => token.kind === 'digit' && pointAt >= 0 && index > pointAt);
  const places = fraction.length;
  const least = fraction.findLastIndex((token) => token.kind === 'digit' && token.always) + 1;

  const write = (value: Digits, sign: string): string => {
    let shown = rounded(shifted(value, scale), places);
    let power = 0;
    if (exponent !== undefined) ({ shown, power } = scientific(shifted(value, scale), wholePlaces, places));
    const whole = wholeDigits(shown);
    const behind = fractionDigits(shown).padEnd(least, '0');
    const text = emitted(tokens, pointAt, (token, index) => {
      switch (token.kind) {
        case 'literal':
          return token.text;
        case 'point':
          // Digits before the point are written even if the format has no place for them.
          return (wholePlaces === 0 ? grouping(whole, 0, grouped, locale) : '') + locale.decimal;
        case 'exponent':
          return (
            token.letter +
            (power < 0 ? '-' : token.plus ? '+' : '') +
            String(Math.abs(power)).padStart(token.digits, '0')
          );
        case 'digit':
          return index.behind === undefined
            ? wholeDigitAt(whole, index.place, wholePlaces, index.forced, grouped, locale)
            : (behind[index.behind] ?? '');
      }
    });
    return sign + text;
  };

  const plain = plainWriter(tokens, scale, grouped, locale);
  return {
    hasDigits,
    isZero: (value) =>
      exponent === undefined &&
      // A number of 1 or more has a digit before the point.
      (value.digits === '' || value.point + scale <= 0) &&
      rounded(shifted(value, scale), places).digits === '',
    write: plain?.write ?? write,
    writeDouble: plain?.writeDouble,
    writeWord: (word, sign) => {
      let written = false;
      const text = tokens
        .map((token) => {
          if (token.kind === 'literal') return token.text;
          if (token.kind !== 'digit' || written) return '';
          written = true;
          return word;
        })
        .join('');
      return sign + text;
    },
  };
}

/**
 * Returns the writers of a section in which all digits stand together, such as `$#,##0.00`; `undefined` for another one. They write the same
 * as the general writer, without a step for each token.
 */
function plainWriter(
  tokens: readonly Token[],
  scale: number,
  grouped: boolean,
  locale: Locale,
): Required<Pick<NumberSection, 'write' | 'writeDouble'>> | undefined {
  const isLiteral = (token: Token) => token.kind === 'literal';
  const from = tokens.findIndex((token) => !isLiteral(token));
  const to = tokens.findLastIndex((token) => !isLiteral(token)) + 1;
  const number = tokens.slice(from, to);
  if (from < 0 || !number.every(({ kind }) => kind === 'digit' || kind === 'point')) return undefined;
  const point = number.findIndex(({ kind }) => kind === 'point');
  const whole = point < 0 ? number : number.slice(0, point);
  if (whole.length === 0) return undefined;
  const fraction = point < 0 ? [] : number.slice(point + 1);
  const isAlways = (token: Token) => token.kind === 'digit' && token.always;
  const first = whole.findIndex(isAlways);
  const leastWhole = first < 0 ? 0 : whole.length - first;
  const leastFraction = fraction.findLastIndex(isAlways) + 1;
  const textOf = (part: readonly Token[]) => part.map((token) => (token.kind === 'literal' ? token.text : '')).join('');
  const [before, after] = [textOf(tokens.slice(0, from)), textOf(tokens.slice(to))];
  const decimal = point < 0 ? '' : locale.decimal;
  const group = grouped ? locale.group : '';
  const places = fraction.length;
  const short = shortDecimalWriter({
    leastWhole,
    leastPlaces: leastFraction,
    places,
    scale,
    group,
    point: decimal,
    keepsPoint: true,
  });
  return {
    write(value, sign) {
      const shown = rounded(shifted(value, scale), places);
      let digits = wholeDigits(shown);
      if (digits.length < leastWhole) digits = digits.padStart(leastWhole, '0');
      if (group !== '' && digits.length > 3) digits = inGroups(digits, group);
      const behind = places === 0 ? '' : fractionDigits(shown).padEnd(leastFraction, '0');
      return sign + before + digits + decimal + behind + after;
    },
    writeDouble(value, sign) {
      const text = short(value);
      return text === undefined ? undefined : sign + before + text + after;
    },
  };
}

/** The position of a digit: its place before the point (units are 0), or its index after it. */
interface DigitPlace {
  readonly place: number;
  readonly behind: number | undefined;
  /** True if this place, or one further left, is a `0`. */
  readonly forced: boolean;
}

function emitted(
  tokens: readonly Token[],
  pointAt: number,
  write: (token: Token, place: DigitPlace) => string,
): string {
  const wholeCount = tokens.filter(({ kind }, at) => kind === 'digit' && (pointAt < 0 || at < pointAt)).length;
  let seen = 0;
  let forced = false;
  return tokens
    .map((token, at) => {
      const isBehind = pointAt >= 0 && at > pointAt;
      if (token.kind !== 'digit') return write(token, { place: 0, behind: undefined, forced });
      forced ||= token.always && !isBehind;
      const index = seen;
      seen += 1;
      return isBehind
        ? write(token, { place: 0, behind: index - wholeCount, forced })
        : write(token, { place: wholeCount - 1 - index, behind: undefined, forced });
    })
    .join('');
}

/** Returns the digit at a place. The first place of the format also takes all digits further left. */
function wholeDigitAt(
  whole: string,
  place: number,
  places: number,
  forced: boolean,
  grouped: boolean,
  locale: Locale,
): string {
  const end = whole.length - place;
  if (end <= 0) return forced ? grouping('0', place, grouped, locale) : '';
  const start = place === places - 1 ? 0 : end - 1;
  return grouping(whole.slice(start, end), place, grouped, locale);
}

/** Writes digits of which the last is at `place`, with the group separators. */
function grouping(digits: string, place: number, grouped: boolean, locale: Locale): string {
  if (!grouped) return digits;
  return [...digits]
    .map((digit, index) => {
      const at = place + digits.length - 1 - index;
      return at > 0 && at % 3 === 0 ? digit + locale.group : digit;
    })
    .join('');
}

/**
 * Splits a number into a mantissa, with as many digits before the point as the format has places there, and the power
 * of ten.
 */
function scientific(
  value: Digits,
  wholePlaces: number,
  places: number,
): { readonly shown: Digits; readonly power: number } {
  if (value.digits === '') return { shown: value, power: 0 };
  const before = Math.max(wholePlaces, 1);
  const power = value.point - before;
  const shown = rounded(shifted(value, -power), places);
  // 9.99 rounds to 10, which has one more place, so it is shifted again.
  return shown.point > before ? { shown: shifted(shown, -1), power: power + 1 } : { shown, power };
}

function tokensOf(characters: readonly Character[]): {
  readonly tokens: readonly Token[];
  /** The power of ten by which `%` and trailing commas change the value. */
  readonly scale: number;
  readonly grouped: boolean;
} {
  const isPlace = (character: Character | undefined) =>
    character !== undefined && !character.literal && (character.text === '0' || character.text === '#');
  const lastPoint = characters.findLastIndex(({ text, literal }) => text === '.' && !literal);
  const firstDigit = characters.findIndex(isPlace);
  // Commas count only before the decimal point. Commas directly after the last place there mean thousandths.
  const wholeEnd = characters.findLastIndex((character, at) => isPlace(character) && (lastPoint < 0 || at < lastPoint));
  const tokens: Token[] = [];
  let scale = 0;
  let grouped = false;
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    if (character === undefined) break;
    const { text, literal } = character;
    if (literal) tokens.push({ kind: 'literal', text });
    else if (isPlace(character)) tokens.push({ kind: 'digit', always: text === '0' });
    else if (text === '.') {
      if (at === lastPoint) tokens.push({ kind: 'point' });
    } else if (text === ',' && firstDigit >= 0 && at > firstDigit) {
      if (at < wholeEnd) grouped = true;
      else if (lastPoint < 0 || at < lastPoint) scale -= 3;
    } else if (text === '%') {
      scale += 2;
      tokens.push({ kind: 'literal', text });
    } else if (/[eE]/.test(text) && /^[+-][0#]/.test(asLiteral(characters.slice(at + 1, at + 3)))) {
      const sign = characters[at + 1]?.text;
      let digits = 0;
      while (isPlace(characters[at + 2 + digits])) digits += 1;
      tokens.push({ kind: 'exponent', letter: text, plus: sign === '+', digits });
      at += 1 + digits;
    } else tokens.push({ kind: 'literal', text });
  }
  return { tokens, scale, grouped };
}
