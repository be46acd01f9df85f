import { type CodePoints, PatternError } from './pattern.ts';

const code = (character: string): number => character.codePointAt(0) ?? 0;
const among = (characters: string): CodePoints => {
  const codes = new Set([...characters].map(code));
  return (each) => codes.has(each);
};
const between =
  (first: string, last: string): CodePoints =>
  (each) =>
    each >= code(first) && each <= code(last);
export const not =
  (of: CodePoints): CodePoints =>
  (each) =>
    !of(each);
export const anyOf =
  (...classes: readonly CodePoints[]): CodePoints =>
  (each) =>
    classes.some((of) => of(each));

export const isLineEnd = among('\n\r\u0085\u2028\u2029');
const digit = between('0', '9');
const lower = between('a', 'z');
const upper = between('A', 'Z');
const alpha = anyOf(lower, upper);
export const isWord = anyOf(alpha, digit, among('_'));
const space = among(' \t\n\u000b\f\r');
const vertical = among('\n\u000b\f\r\u0085\u2028\u2029');
const horizontal = anyOf(among(' \t\u00a0\u1680\u180e\u202f\u205f\u3000'), between('\u2000', '\u200a'));
const graph = between('!', '~');

/** `\d`, `\D`, … */
export const ESCAPED: Readonly<Record<string, CodePoints>> = {
  d: digit,
  D: not(digit),
  s: space,
  S: not(space),
  w: isWord,
  W: not(isWord),
  h: horizontal,
  H: not(horizontal),
  v: vertical,
  V: not(vertical),
};

/** The classes of java.util.regex that a pattern names. */
const POSIX: Readonly<Record<string, CodePoints>> = {
  Lower: lower,
  Upper: upper,
  ASCII: (each) => each < 128,
  Alpha: alpha,
  Digit: digit,
  Alnum: anyOf(alpha, digit),
  Punct: (each) => graph(each) && !alpha(each) && !digit(each),
  Graph: graph,
  Print: between(' ', '~'),
  Blank: among(' \t'),
  Cntrl: (each) => each < 32 || each === 127,
  XDigit: anyOf(digit, between('a', 'f'), between('A', 'F')),
  Space: space,
};

const JAVA: Readonly<Record<string, string>> = {
  javaLowerCase: 'Lowercase',
  javaUpperCase: 'Uppercase',
  javaWhitespace: 'White_Space',
  javaAlphabetic: 'Alphabetic',
  javaLetter: 'L',
  javaDigit: 'Nd',
};

/** Returns the class of a name as in `\p{Lower}`, `\p{L}`, `\p{IsAlphabetic}`, `\p{IsGreek}`, `\p{script=Greek}`, `\p{gc=Lu}`. */
export function propertyClass(name: string): CodePoints {
  const posix = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  if (posix !== undefined) return posix;
  if (name === 'all') return () => true;
  if (name === 'L1') return (each) => each < 256;
  const java = Object.hasOwn(JAVA, name) ? JAVA[name] : undefined;
  if (java !== undefined) return unicode(name, java);
  const [key, value] = name.split('=');
  if (value !== undefined) return unicode(name, /^(?:sc|script)$/i.test(key ?? '') ? `Script=${value}` : value);
  const bare = name.replace(/^Is(?=[A-Z])/, '');
  return unicode(name, bare, `Script=${bare}`);
}

/** Returns the class of Unicode properties that JavaScript knows, which has Unicode's tables. */
function unicode(name: string, ...properties: readonly string[]): CodePoints {
  for (const property of properties) {
    if (!/^\w+(?:=\w+)?$/.test(property)) continue;
    try {
      const one = new RegExp(`^\\p{${property}}$`, 'u');
      return (each) => one.test(String.fromCodePoint(each));
    } catch (error) {
      // The only thing it throws: there is no such property.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new PatternError(`there is no class of characters '${name}'`);
}
