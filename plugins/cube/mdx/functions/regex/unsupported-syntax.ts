import { PatternError, UnsupportedPatternError } from './pattern-error.ts';

/** Syntax of Java that RE2 rejects, recognised by RE2's error message. */
const REFUSED: readonly (readonly [inError: RegExp, syntax: string, instead: string])[] = [
  [/`\(\?[=!]/, 'looking ahead, (?=…) or (?!…),', 'combine two conditions: a MATCHES b AND a NOT MATCHES c'],
  [/`\(\?>/, 'an atomic group, (?>…),', 'use an ordinary group, (?:…)'],
  [/nested repetition operator: `[^`]*\+`/, 'a possessive quantifier such as *+', 'use *, +, ? or {n,m}'],
  [/escape sequence: `\\[1-9k]/, 'a reference back to a group, such as \\1,', 'compare the parts of the text with ='],
  [/escape sequence: `\\u/, 'the escape \\u', 'write \\x{…} with the hexadecimal code'],
  [/escape sequence: `\\Z/, 'the escape \\Z', 'use \\z'],
  [/escape sequence: `\\h/, 'the class \\h', 'use [ \\t]'],
  [/escape sequence: `\\R/, 'the line break \\R', 'use (?:\\r\\n|\\n|\\r)'],
  [/escape sequence: `\\Q/, 'a quotation \\Q…\\E inside […]', 'escape each character with \\'],
  [
    /range: `\\[pP]\{(?:Is|java|Lower|Upper|ASCII|Al|Digit|Punct|Graph|Print|Blank|Cntrl|XDigit|Space)/,
    'a Java class such as \\p{Lower} or \\p{IsGreek}',
    'use [[:lower:]], \\p{Greek} or \\p{Lu}',
  ],
  [/`\(\?[a-zA-Z-]*[uxdU]/, 'one of the flags u, x, d and U', 'use the flags i, m and s'],
];

/** Converts an error of RE2 to a message that names the unsupported syntax and its replacement. */
export function refusalOf(message: string): PatternError {
  const refused = REFUSED.find(([inError]) => inError.test(message));
  if (refused !== undefined) return new UnsupportedPatternError(refused[1], refused[2]);
  return new PatternError(message.replace(/^error parsing regexp: /, ''));
}

/** Parts of a pattern: a quotation, an escape, the opening of a group with flags, a POSIX class, any other character. */
const PART = /\\Q.*?(?:\\E|$)|\\.|\(\?[a-zA-Z]+(?:-[a-zA-Z]+)?[:)]|\[:\^?\w+:\]|./gsu;

/** Returns an error for syntax that RE2 accepts with another meaning than Java; `undefined` if the pattern has none. */
export function refusalOfDifferentSyntax(source: string): UnsupportedPatternError | undefined {
  let place: 'outside' | 'class start' | 'class' = 'outside';
  let previous = '';
  for (const [part] of source.matchAll(PART)) {
    if (part.startsWith('\\v')) return new UnsupportedPatternError('the class \\v', 'use [\\n\\f\\r]');
    if (part.startsWith('\\0'))
      return new UnsupportedPatternError('an octal code such as \\0101', 'write \\x{…} with the hexadecimal code');
    if (place === 'outside') {
      if (/^\(\?\w*U/.test(part)) return new UnsupportedPatternError('the flag U', 'use \\p{…} for classes of Unicode');
      if (part === '[') place = 'class start';
    } else if (place === 'class start' && (part === '^' || part === ']')) {
      if (part === ']') place = 'class';
    } else if (part === '[') {
      return new UnsupportedPatternError('a class inside a class, such as [a-d[m-p]],', 'write one class: [a-dm-p]');
    } else if (part === '&' && previous === '&') {
      return new UnsupportedPatternError('the intersection && of classes', 'list the characters that remain');
    } else place = part === ']' ? 'outside' : 'class';
    previous = part;
  }
  return undefined;
}
