import { describe, expect, it } from 'vitest';
import { parseSkill } from './parse-skill.ts';

const file = (frontmatter: string, body = 'Do it.') => `---\n${frontmatter}\n---\n${body}`;
const GOOD = 'name: top-sellers\ndescription: The best products';

describe('a skill file', () => {
  it('is read with its body as written', () => {
    expect(parseSkill(file(`${GOOD}\ncube: demo/Shop/Shop/Sales`, '\n# Steps\n---\n1. Ask\n'))).toEqual({
      name: 'top-sellers',
      description: 'The best products',
      cube: 'demo/Shop/Shop/Sales',
      body: '\n# Steps\n---\n1. Ask\n',
      markdown: `---\n${GOOD}\ncube: demo/Shop/Shop/Sales\n---\n\n# Steps\n---\n1. Ask\n`,
    });
  });

  it('may have Windows line ends, a byte order mark, a block scalar and no cube', () => {
    const text = '\uFEFF---\r\nname: a\r\ndescription: |\r\n  Two\r\n  lines\r\n---\r\nBody\r\n';
    expect(parseSkill(text)).toMatchObject({ name: 'a', description: 'Two\nlines', cube: undefined, body: 'Body\r\n' });
  });

  it.each([
    ['nothing', '', 'EMPTY_SKILL'],
    ['only white space', ' \n\t\r\n', 'EMPTY_SKILL'],
    ['no fence', '# Title\n', 'MISSING_FRONTMATTER'],
    ['a fence that is not on the first line', `\n${file(GOOD)}`, 'MISSING_FRONTMATTER'],
    ['four dashes', `-${file(GOOD)}`, 'MISSING_FRONTMATTER'],
    ['no closing fence', `---\n${GOOD}\n`, 'MALFORMED_YAML'],
    ['no body', file(GOOD, ' \n'), 'EMPTY_BODY'],
    ['broken YAML', file('name: [a'), 'MALFORMED_YAML'],
    ['a field twice', file(`${GOOD}\nname: b`), 'MALFORMED_YAML'],
    ['a list', file('- name'), 'MALFORMED_YAML'],
    ['a scalar', file('name'), 'MALFORMED_YAML'],
    ['a long frontmatter', file(`${GOOD}\n#${'x'.repeat(20_000)}`), 'MALFORMED_YAML'],
    ['an empty frontmatter', file(''), 'MISSING_FIELD'],
    ['no description', file('name: a'), 'MISSING_FIELD'],
    ['no name', file('description: a'), 'MISSING_FIELD'],
    ['a blank description', file('name: a\ndescription: " "'), 'BLANK_FIELD'],
    ['a name without value', file('name:\ndescription: a'), 'BLANK_FIELD'],
    ['a numeric name', file('name: 42\ndescription: a'), 'TYPE_MISMATCH'],
    ['a list as description', file('name: a\ndescription: [a]'), 'TYPE_MISMATCH'],
    ['a number as cube', file(`${GOOD}\ncube: 1`), 'TYPE_MISMATCH'],
    ['capitals', file('name: Top\ndescription: a'), 'INVALID_NAME'],
    ['a digit first', file('name: 1a\ndescription: a'), 'INVALID_NAME'],
    ['65 characters', file(`name: ${'a'.repeat(65)}\ndescription: a`), 'INVALID_NAME'],
    ['a line end in the name', file('name: "a\\n"\ndescription: a'), 'INVALID_NAME'],
    ['another field', file(`${GOOD}\nauthor: me`), 'UNKNOWN_FIELD'],
    ['a field called code', file(`${GOOD}\ncode: x`), 'UNKNOWN_FIELD'],
    ['a field called __proto__', file(`${GOOD}\n__proto__: x`), 'UNKNOWN_FIELD'],
  ])('with %s is %s', (_, text, code) => {
    expect(parseSkill(text)).toMatchObject({ code });
  });

  it('may have a name of 64 characters and a cube left blank', () => {
    const name = 'a'.repeat(64);
    expect(parseSkill(file(`name: ${name}\ndescription: a\ncube:`))).toMatchObject({ name, cube: undefined });
  });

  it('reports the line of a mistake in its YAML, counted from the top of the file', () => {
    expect(parseSkill(file('name: a\ndescription: "b'))).toMatchObject({ message: expect.stringMatching(/line [34]/) });
  });

  it('is fast for aliases of aliases', () => {
    const levels = Array.from({ length: 60 }, (_, n) => `l${n}: &l${n} [${n === 0 ? 'x' : `*l${n - 1}, *l${n - 1}`}]`);
    expect(parseSkill(file(`${GOOD}\n${levels.join('\n')}`))).toMatchObject({ code: expect.any(String) });
  });
});
