import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { MODE_NEEDS } from '../src/chart/modes/can-draw.ts';
import { LANGUAGES } from '../src/generated/languages.ts';
import { renderToString } from '../src/ssr/index.ts';
import { LANGUAGE_PARTS } from '../src/words/language-parts.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';

const WHOLE = ['de', 'fr', 'es'] as const;

/** Lists the English words that the sources give to `say` as they stand. */
function spokenWords(): readonly string[] {
  const folders = ['../src/', '../paper/'].map((each) => new URL(each, import.meta.url));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const source = ts.createSourceFile(
          file,
          readFileSync(new URL(file, folder), 'utf8'),
          ts.ScriptTarget.Latest,
          true,
        );
        return spokenIn(source);
      }),
  );
}

function spokenIn(node: ts.Node): readonly string[] {
  const name = ts.isCallExpression(node)
    ? ts.isPropertyAccessExpression(node.expression)
      ? node.expression.name.text
      : node.expression.getText()
    : '';
  const [words] = ts.isCallExpression(node) ? node.arguments : [];
  const own = name === 'say' && words !== undefined ? literals(words) : [];
  return [...own, ...node.getChildren().flatMap(spokenIn)];
}

/** Lists the texts that an expression may be. */
function literals(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  return ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse].flatMap(literals) : [];
}

const filled = (words: string) => [...words.matchAll(/\{\d\}/g)].map(String).sort();

describe('the words of the element', () => {
  const spoken = spokenWords();

  test('each file is a language', async () => {
    const files = readdirSync(new URL('../src/words/languages/', import.meta.url));
    expect(files.map((file) => file.replace('.ts', '')).sort()).toEqual([...LANGUAGES].sort());
  });

  test.each(WHOLE)('are all in %s, with the same values', async (language) => {
    const { words } = await LANGUAGE_PARTS[`words-${language}`]();
    const { words: german } = await LANGUAGE_PARTS['words-de']();
    expect(spoken.length).toBeGreaterThan(110);
    expect(spoken.filter((each) => words[each] === undefined)).toEqual([]);
    expect(
      Object.values(MODE_NEEDS)
        .map(({ label }) => label)
        .filter((label) => words[label] === undefined),
    ).toEqual([]);
    expect(Object.keys(words).sort()).toEqual(Object.keys(german).sort());
    for (const [english, other] of Object.entries(words)) expect(filled(other), other).toEqual(filled(english));
  });

  test.each([
    ['de-DE', 'Stand: <time', ', zwischengespeichert', '2 Zeilen'],
    ['fr-FR', 'Au <time', ', en cache', '2 lignes'],
    ['es-ES', 'A fecha de <time', ', en caché', '2 filas'],
    ['en-GB', 'As of <time', ', cached', '2 rows'],
    ['da-DK', 'As of <time', ', cached', '2 rows'],
  ])('stand below a table in %s', async (locale, before, after, count) => {
    const html = await renderToString({
      attributes: { server: 'https://a.test', path: 'a.service', locale },
      answer: answer(
        [dimension('a', 'Region'), metric('m', 'Sales')],
        ['North', 'South'].map((a) => ({ a, m: cell(1, '1') })),
      ),
    });
    const text = html.replaceAll(/<!--[^>]*-->/g, '');
    expect(text).toContain(before);
    expect(text).toContain(after);
    expect(text).toContain(count);
  });

  test.each([
    ['de', '▲ +25 % ggü. Vorjahr'],
    ['fr', '▲ +25 % par rapport à l’année précédente'],
    ['es', '▲ +25 % frente a el año anterior'],
    ['en', '▲ +25% vs previous year'],
  ])('name the year that a number is compared with in %s', async (locale, words) => {
    const html = await renderToString({
      attributes: { server: 'https://a.test', path: 'a.service', render: 'kpi', locale },
      answer: answer(
        [metric('m', 'Sales'), metric('m.base', 'Sales (previous year)')],
        [{ m: cell(5, '5'), 'm.base': cell(4, '4') }],
      ),
    });
    const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(text).toContain(words);
  });
});

describe('a chart in the language of its page', () => {
  const months = ['2026-01-01', '2026-02-01', '2026-03-01'];
  const body = answer(
    [dimension('calendar.month', 'Monat', 'date'), metric('net_sales', 'Umsatz')],
    months.map((month, at) => ({ 'calendar.month': month, net_sales: cell((at + 1) * 2_500_000_000, `${at}`) })),
    { title: 'Umsatz' },
  );
  const draw = (locale: string, chart: object = {}) =>
    renderToString({
      attributes: {
        server: 'https://a.test',
        path: 'a.service',
        render: 'chart',
        mode: 'line',
        locale,
        chart: JSON.stringify(chart),
      },
      answer: body,
    });

  // The short numbers are those of the Unicode CLDR.
  for (const [locale, number, description, note] of [
    [
      'de',
      '2\u00a0Mrd.',
      'Umsatz nach Monat, Jan. 2026 bis März 2026: von 0 bis 2, am höchsten: März 2026.',
      'Die Achse beginnt bei 1.000.000.000',
    ],
    [
      'en',
      '2B',
      'Umsatz by Monat, Jan 2026 to Mar 2026: from 0 to 2, highest Mar 2026.',
      'The axis begins at 1,000,000,000',
    ],
    [
      'fr',
      '2\u00a0Md',
      'Umsatz par Monat, de janv. 2026 à mars 2026: de 0 à 2, maximum : mars 2026.',
      'L&#39;axe commence à 1',
    ],
    [
      'es',
      '2000\u00a0M',
      'Umsatz por Monat, de ene 2026 a mar 2026: de 0 a 2, máximo: mar 2026.',
      'El eje empieza en 1',
    ],
  ] as const) {
    test(`writes short numbers, the description and notes in ${locale}`, async () => {
      const html = await draw(locale, { axes: { y: { min: 1_000_000_000 } } });
      expect(html).toContain(`>${number}</text>`);
      expect(html).toContain(description);
      expect(html).toContain(note);
    });
  }
});
