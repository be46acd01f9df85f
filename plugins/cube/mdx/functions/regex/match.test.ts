import { describe, expect, it } from 'vitest';
import { cpuMillis } from '../../../../../router/testing/cpu-millis.ts';
import { matchesWhole } from './match.ts';
import { MAX_PATTERN_LENGTH, PatternError } from './pattern.ts';

/** Pattern, texts it describes as a whole, texts it does not; by the documentation of java.util.regex.Pattern. */
const CASES: readonly (readonly [pattern: string, is: readonly string[], isNot: readonly string[]])[] = [
  ['', [''], ['a']],
  ['abc', ['abc'], ['ab', 'abcd', 'xabc']],
  ['a|bc|', ['a', 'bc', ''], ['b']],
  // quoted
  ['\\Qa.b*\\E+', ['a.b*', 'a.b***'], ['axb', 'a.b']],
  ['\\Q[x]', ['[x]'], ['x']],
  ['[\\Q^-]\\E]', ['^', '-', ']'], ['Q']],
  // flags
  ['(?i)bread', ['BREAD', 'bReaD'], ['bred']],
  ['(?i)[a-c]x', ['BX'], ['DX']],
  ['(?i)[^a]', ['b'], ['A', 'a']],
  ['(?i)é', ['é'], ['É']],
  ['(?iu)é', ['É'], ['e']],
  ['a(?i)b', ['ab', 'aB'], ['Ab']],
  ['(?:(?i)a)b', ['Ab'], ['AB']],
  ['(?i:a)b', ['Ab'], ['AB']],
  ['(?i)a(?-i)b', ['Ab'], ['AB']],
  ['(?s)a.b', ['a\nb'], []],
  ['a.b', ['axb'], ['a\nb', 'a\u2028b']],
  ['(?m)a$\n^b', ['a\nb'], ['a b']],
  ['(?x) a b # a comment', ['ab'], ['a b']],
  // possessive, atomic
  ['a*+', ['', 'aaa'], ['b']],
  ['a*+a', [], ['a', 'aa']],
  ['a?+ab', ['aab'], ['ab']],
  ['(?>a|ab)c', ['ac'], ['abc']],
  ['[^,]*+,', ['x y,'], ['xy']],
  ['a{1,2}+a', ['aaa'], ['aa']],
  // repeated
  ['a{2}', ['aa'], ['a', 'aaa']],
  ['a{2,}', ['aa', 'aaaa'], ['a']],
  ['a{1,2}?', ['a', 'aa'], ['aaa']],
  ['(a*)*b', ['b', 'aab'], ['a']],
  ['(ab){0}', [''], ['ab']],
  // classes
  ['[a-c&&[^b]]+', ['ac'], ['b']],
  ['[a-z&&def]', ['d'], ['a']],
  ['[a-d[m-p]]', ['b', 'n'], ['f']],
  ['[^a-z]', ['A'], ['m']],
  ['[a-]', ['a', '-'], ['b']],
  ['[]a]', [']', 'a'], ['b']],
  ['\\d+\\s\\w+', ['12 a_9'], ['x y']],
  ['\\p{Upper}\\p{Lower}+', ['Oslo'], ['oslo']],
  ['\\p{Alpha}\\P{Alpha}', ['a1'], ['ab']],
  ['\\p{Punct}', ['!', '_', '$'], ['a', '1']],
  ['\\p{L}+', ['Ærø'], ['a1']],
  ['\\pL', ['é'], ['1']],
  ['\\p{IsAlphabetic}\\p{IsGreek}', ['aβ'], ['ab']],
  ['\\p{javaLowerCase}', ['ß'], ['S']],
  ['[\\p{Lower}\\d]', ['a', '7'], ['A']],
  ['\\h\\v', [' \n'], ['\n ']],
  ['a\\Rb', ['a\r\nb', 'a\nb'], ['ab']],
  // characters
  ['\\x41\\u0042\\x{1F600}\\0101\\t', ['AB😀A\t'], []],
  ['.', ['😀'], ['ab']],
  ['\\$\\.', ['$.'], ['xx']],
  // places and looks
  ['\\Aa\\z', ['a'], ['a\n']],
  ['a$', ['a'], ['ab']],
  ['\\bOslo\\b.*', ['Oslo 1'], ['Oslo1']],
  ['(?=.*\\d)[a-z\\d]+', ['a1'], ['ab']],
  ['(?!USA).*', ['Canada'], ['USA.CA']],
  ['.*(?<=CA)', ['USA.CA'], ['USA.WA']],
  ['.*(?<!CA)', ['USA.WA'], ['USA.CA']],
  ['(?<name>a)b', ['ab'], ['b']],
];

describe.each(CASES)('%s', (pattern, is, isNot) => {
  it.each([...is])('describes "%s"', (text) => expect(matchesWhole(text, pattern)).toBe(true));
  it.each([...isNot])('does not describe "%s"', (text) => expect(matchesWhole(text, pattern)).toBe(false));
});

/** Draws a small pattern, nested at most twice: the oracle goes through all ways. */
function randomPattern(random: () => number, depth: number): string {
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? '';
  const item = (): string => {
    const kind = random();
    if (kind < 0.15) return pick(['\\b', '\\B', '(?=a)', '(?!b)', '(?<=a)', '(?<!b)', '^', '$(?!\\n)']);
    const atom =
      depth > 0 && kind < 0.5 ? `(?:${randomPattern(random, depth - 1)})` : pick([...'abc.', '[ab]', '[^a]']);
    return atom + pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '{0,2}?']);
  };
  const sequence = () => Array.from({ length: Math.floor(random() * 3) + 1 }, item).join('');
  return random() < 0.3 ? `${sequence()}|${sequence()}` : sequence();
}

it('agrees with the patterns of JavaScript, where both have the same ones', () => {
  let seed = 20261121;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const pattern = randomPattern(random, 2);
    const text = Array.from({ length: Math.floor(random() * 6) }, () => 'abc '[Math.floor(random() * 4)]).join('');
    const expected = new RegExp(`^(?:${pattern})$`, 's').test(text);
    expect(matchesWhole(text, pattern), `${pattern} on "${text}"`).toBe(expected);
  }
});

it.each([
  '(a+)+b',
  '(a|a)*b',
  '(a*)*b',
  '(?:a?){30}a{30}b',
  '(.*a){12}b',
  '(?=(a+)+b).*',
  '.*(?<=(a+)+b)',
  '((a*)*+)*b',
])('%s ends soon on a text that it nearly describes', (pattern) => {
  const millis = cpuMillis(() => {
    try {
      expect(matchesWhole('a'.repeat(2_000), pattern)).toBe(false);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
    }
  });
  // A backtracking engine takes longer than the universe has been there.
  expect(millis).toBeLessThan(3_000);
});

it.each([
  ['a(', "a ')' is missing"],
  ['a)', "a ')' closes nothing"],
  ['*a', "'*' repeats nothing"],
  ['[a', 'it ends too early'],
  ['a{x}', 'a repetition is {n}, {n,} or {n,m}'],
  ['a{2,1}', 'a repetition from 2 to 1 is none'],
  ['[b-a]', 'a range goes from a character to a later one'],
  ['(a)\\1', 'it refers back to a group'],
  ['\\y', "'\\y' is unknown"],
  ['\\p{Nonsense}', "there is no class of characters 'Nonsense'"],
  ['(?q)', "'(?q' is unknown"],
  ['(){1000000}', 'it repeats more than'],
  ['((a{100}){100}){100}', 'it repeats more than'],
  ['a'.repeat(MAX_PATTERN_LENGTH + 1), 'it has more than'],
  ['\\', 'it ends too early'],
])('%s is refused', (pattern, why) => {
  expect(() => matchesWhole('a', pattern)).toThrow(PatternError);
  expect(() => matchesWhole('a', pattern)).toThrow(why);
});
