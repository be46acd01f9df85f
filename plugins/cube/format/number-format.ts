import { type Digits, digitsOf } from './digits.ts';
import type { Locale } from './locale.ts';
import { type NumberSection, numberSection } from './number-section.ts';
import { asLiteral, type Character } from './section.ts';

/**
 * Formats numbers with up to four sections: positive (or all) ; negative ; zero ; null. An empty section is the same as
 * the first.
 */
export interface NumberFormat {
  number(value: number | bigint | string): string;
  nothing(): string;
}

/** Returns the formatter of the sections of a number format. */
export function numberFormat(
  sections: readonly (readonly Character[])[],
  locale: Locale,
  read: (value: number | bigint | string) => Digits = digitsOf,
): NumberFormat {
  const [first = [], ...others] = sections;
  const compile = (characters: readonly Character[] | undefined) =>
    characters === undefined || characters.length === 0 ? undefined : section(characters, locale);
  const all = section(first, locale);
  const [negative, zero, nothing] = others.map(compile);

  const minus = negative === undefined && all.hasDigits ? '-' : '';
  const finite = (value: Digits): string => {
    const positive = value.negative ? { ...value, negative: false } : value;
    // A number that rounds to zero is a zero without a sign.
    const chosen = value.negative && value.digits !== '' ? (negative ?? all) : all;
    if (value.digits === '' || chosen.isZero(positive)) return (zero ?? all).write(positive, '');
    return chosen.write(positive, value.negative ? minus : '');
  };

  const double = (value: number): string => {
    if (!Number.isFinite(value)) {
      if (value !== Number.NEGATIVE_INFINITY) return all.writeWord(String(value), '');
      return negative === undefined ? all.writeWord('Infinity', '-') : negative.writeWord('Infinity', '');
    }
    const text = value > 0 ? all.writeDouble?.(value, '') : (negative ?? all).writeDouble?.(-value, minus);
    return text ?? finite(read(value));
  };

  return {
    number: (value) => (typeof value === 'number' ? double(value) : finite(read(value))),
    nothing: () => nothing?.write(digitsOf(0), '') ?? '',
  };
}

/** Returns the formatter with two words: for values that are not 0, and for 0 or null. Values are not rounded first. */
export function wordsFormat([not0, zero]: readonly [not0: string, zero: string]): NumberFormat {
  const number = (value: number | bigint | string): string => {
    if (typeof value !== 'number') return digitsOf(value).digits === '' ? zero : not0;
    return Number.isNaN(value) ? String(value) : value === 0 ? zero : not0;
  };
  return { number, nothing: () => zero };
}

/**
 * Reads a section with properties for clients: in `|#,##0|style=red`, only the part between the bars is a format. The
 * rest is passed to the client unchanged.
 */
function section(characters: readonly Character[], locale: Locale): NumberSection {
  const isBar = ({ text, literal }: Character) => text === '|' && !literal;
  const end = characters.findIndex((character, at) => at > 0 && isBar(character));
  const [start] = characters;
  if (start === undefined || !isBar(start) || end < 0) return numberSection(characters, locale);
  const inner = numberSection(characters.slice(1, end), locale);
  const rest = asLiteral(characters.slice(end));
  return {
    ...inner,
    write: (value, sign) => `|${inner.write(value, sign)}${rest}`,
    writeDouble: undefined,
    writeWord: (word, sign) => `|${inner.writeWord(word, sign)}${rest}`,
  };
}
