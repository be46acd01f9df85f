import { describe, expect, it } from 'vitest';
import { cpuMillis } from '../../../../../router/testing/cpu-millis.ts';
import { MAX_PATTERN_LENGTH } from '../../limits.ts';
import { matchesWhole } from './matches-whole.ts';
import { PatternError, UnsupportedPatternError } from './pattern-error.ts';

/** Patterns with texts that they match as a whole and texts that they do not, by RE2's documentation of its syntax. */
const CASES: readonly (readonly [pattern: string, is: readonly string[], isNot: readonly string[]])[] = [
  ['', [''], ['a']],
  ['abc', ['abc'], ['ab', 'abcd', 'xabc']],
  ['a|bc|', ['a', 'bc', ''], ['b']],
  // Quoting.
  ['\\Qa.b*\\E+', ['a.b*', 'a.b***'], ['axb', 'a.b']],
  ['\\Q[x]', ['[x]'], ['x']],
  // Flags.
  ['(?i)bread', ['BREAD', 'bReaD'], ['bred']],
  ['(?i)[a-c]x', ['BX'], ['DX']],
  ['(?i)[^a]', ['b'], ['A', 'a']],
  ['a(?i)b', ['ab', 'aB'], ['Ab']],
  ['(?:(?i)a)b', ['Ab'], ['AB']],
  ['(?i:a)b', ['Ab'], ['AB']],
  ['(?i)a(?-i)b', ['Ab'], ['AB']],
  ['(?s)a.b', ['a\nb'], []],
  ['a.b', ['axb'], ['a\nb']],
  ['(?m)a$\n^b', ['a\nb'], ['a b']],
  // Repetition.
  ['a{2}', ['aa'], ['a', 'aaa']],
  ['a{2,}', ['aa', 'aaaa'], ['a']],
  ['a{1,2}?', ['a', 'aa'], ['aaa']],
  ['(a*)*b', ['b', 'aab'], ['a']],
  ['(ab){0}', [''], ['ab']],
  // Classes.
  ['[^a-z]', ['A'], ['m']],
  ['[a-]', ['a', '-'], ['b']],
  ['[]a]', [']', 'a'], ['b']],
  ['\\d+\\s\\w+', ['12 a_9'], ['x y']],
  ['[[:upper:]][[:lower:]]+', ['Oslo'], ['oslo']],
  ['[[:alpha:]][[:^alpha:]]', ['a1'], ['ab']],
  ['[[:punct:]]', ['!', '_', '$'], ['a', '1']],
  ['[[:alpha:]_&]+', ['a&_'], ['a1']],
  ['\\p{L}+', ['Ærø'], ['a1']],
  ['\\pL', ['é'], ['1']],
  ['\\pL\\p{Greek}', ['aβ'], ['ab']],
  ['\\p{Ll}', ['ß'], ['S']],
  ['[\\p{Ll}\\d]', ['a', '7'], ['A']],
  // Characters.
  ['\\x41\\x{42}\\x{1F600}\\t', ['AB😀\t'], []],
  ['.', ['😀'], ['ab']],
  ['\\$\\.', ['$.'], ['xx']],
  // Anchors and lookarounds.
  ['\\Aa\\z', ['a'], ['a\n']],
  ['a$', ['a'], ['ab']],
  ['\\bOslo\\b.*', ['Oslo 1'], ['Oslo1']],
  ['.*(?<=CA)', ['USA.CA'], ['USA.WA']],
  ['.*(?<!CA)', ['USA.WA'], ['USA.CA']],
  ['(?<name>a)b', ['ab'], ['b']],
];

describe.each(CASES)('%s', (pattern, is, isNot) => {
  it.each([...is])('matches "%s"', (text) => expect(matchesWhole(text, pattern)).toBe(true));
  it.each([...isNot])('does not match "%s"', (text) => expect(matchesWhole(text, pattern)).toBe(false));
});

/** Draws a small pattern with at most two levels of nesting, so that the backtracking oracle terminates. */
function randomPattern(random: () => number, depth: number): string {
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? '';
  const item = (): string => {
    const kind = random();
    if (kind < 0.15) return pick(['\\b', '\\B', '(?<=a)', '(?<!b)', '^', '$']);
    const atom =
      depth > 0 && kind < 0.5 ? `(?:${randomPattern(random, depth - 1)})` : pick([...'abc.', '[ab]', '[^a]']);
    return atom + pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '{0,2}?']);
  };
  const sequence = () => Array.from({ length: Math.floor(random() * 3) + 1 }, item).join('');
  return random() < 0.3 ? `${sequence()}|${sequence()}` : sequence();
}

it('agrees with JavaScript on patterns that both support', () => {
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
  '(?:.*a){500}b',
  '.*(?<=(?:a+)+b)',
  '(?:a{0,900}){5}b',
])('%s is matched or refused in bounded time on a text that nearly matches', (pattern) => {
  const millis = cpuMillis(() => {
    try {
      expect(matchesWhole('a'.repeat(2_000), pattern)).toBe(false);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
    }
  });
  // A backtracking engine would not terminate.
  expect(millis).toBeLessThan(3_000);
});

it('a pattern with many repetitions is refused before it is compiled', () => {
  const millis = cpuMillis(() => {
    expect(() => matchesWhole('a', '\\pL{1000}'.repeat(100))).toThrow(PatternError);
  });
  expect(millis).toBeLessThan(200);
});

it('a long text is refused with a pattern of many instructions, and matched with a short pattern', () => {
  const text = 'a'.repeat(100_000);
  expect(() => matchesWhole(text, 'a{1000}.*')).toThrow('it needs more than 2000000 steps');
  expect(matchesWhole(text, 'a+')).toBe(true);
});

it.each([
  ['a(', 'missing closing )'],
  ['a)', 'unexpected )'],
  ['*a', 'missing argument to repetition operator'],
  ['[a', 'missing closing ]'],
  ['a{2,1}', 'invalid repeat count'],
  ['[b-a]', 'invalid character class range'],
  ['\\y', 'invalid escape sequence'],
  ['\\p{Nonsense}', 'invalid character class range'],
  ['(?q)', 'invalid or unsupported Perl syntax'],
  ['(){1000000}', 'it repeats more than'],
  ['((a{100}){100}){100}', 'invalid repeat count'],
  ['a{1000}'.repeat(5), 'it repeats more than'],
  ['a'.repeat(MAX_PATTERN_LENGTH + 1), 'it has more than'],
  ['\\', 'trailing backslash'],
])('%s is refused', (pattern, why) => {
  expect(() => matchesWhole('a', pattern)).toThrow(PatternError);
  expect(() => matchesWhole('a', pattern)).toThrow(why);
});

it.each([
  ['(?=.*\\d)[a-z\\d]+', 'looking ahead'],
  ['(?!USA).*', 'looking ahead'],
  ['(?>a|ab)c', 'an atomic group'],
  ['[^,]*+,', 'a possessive quantifier'],
  ['a{1,2}+a', 'a possessive quantifier'],
  ['(a)\\1', 'a reference back to a group'],
  ['(?<n>a)\\k<n>', 'a reference back to a group'],
  ['[a-c&&[^b]]+', 'the intersection && of classes'],
  ['[]&&a]', 'the intersection && of classes'],
  ['[a-d[m-p]]', 'a class inside a class'],
  ['[^[a]]', 'a class inside a class'],
  ['[\\Q^-\\E]', 'a quotation \\Q…\\E inside […]'],
  ['\\p{Lower}', 'a Java class'],
  ['\\p{IsGreek}', 'a Java class'],
  ['(?x) a b', 'one of the flags'],
  ['(?iu)é', 'one of the flags'],
  ['(?U)\\w', 'the flag U'],
  ['(?iU)\\w', 'the flag U'],
  ['\\h', 'the class \\h'],
  ['\\v', 'the class \\v'],
  ['a\\Rb', 'the line break \\R'],
  ['a\\Z', 'the escape \\Z'],
  ['\\u0042', 'the escape \\u'],
  ['\\0101', 'an octal code'],
])('%s is refused with a replacement', (pattern, syntax) => {
  expect(() => matchesWhole('a', pattern)).toThrow(UnsupportedPatternError);
  expect(() => matchesWhole('a', pattern)).toThrow(syntax);
});

it.each([
  ['\\[a&&b[c]\\]', '[a&&bc]'],
  ['\\Q[a&&[b]]\\E', '[a&&[b]]'],
  ['a&&b', 'a&&b'],
  ['[a&]&[b&]', 'a&b'],
])('%s has no class inside a class', (pattern, text) => expect(matchesWhole(text, pattern)).toBe(true));
