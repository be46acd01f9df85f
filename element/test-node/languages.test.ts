import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { languages } from '../src/chart/languages.ts';
import { MODE_NEEDS } from '../src/chart/modes/can-draw.ts';
import { renderToString } from '../src/ssr/index.ts';
import { languages as elementLanguages } from '../src/words/part.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';

const folder = new URL('../src/chart/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'languages.ts')
  .map((file) => readFileSync(new URL(file, folder), 'utf8'));

/** Lists the English words that the sources give to `say`. */
function spokenWords(): readonly string[] {
  const calls = sources.flatMap((text) =>
    [...text.matchAll(/\bsay\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, call = '']) => call),
  );
  return calls.flatMap((call) => [...call.matchAll(/'((?:[^'\\]|\\.)+)'/g)].map(([, words = '']) => words));
}

const filled = (words: string) => [...words.matchAll(/\{\d\}/g)].map(String).sort();

describe('the words of charts', () => {
  const whole = ['de', 'fr', 'es'] as const;

  for (const language of whole) {
    test(`are all in ${language}, with the same values`, () => {
      const words = languages[language] ?? {};
      expect(spokenWords().length).toBeGreaterThan(30);
      expect(
        spokenWords().filter((each) => !/^(average|language|[^a-z]*)$/.test(each) && words[each] === undefined),
      ).toEqual([]);
      expect(
        Object.values(MODE_NEEDS)
          .map(({ label }) => label)
          .filter((label) => words[label] === undefined),
      ).toEqual([]);
      expect(Object.keys(words).sort()).toEqual(Object.keys(languages.de ?? {}).sort());
      for (const [english, other] of Object.entries(words)) expect(filled(other), other).toEqual(filled(english));
    });
  }
});

describe('the words around charts', () => {
  const all = new URL('../src/', import.meta.url);
  const texts = readdirSync(all, { recursive: true, encoding: 'utf8' })
    .filter((file) =>
      /^(render|controllers|dashboard|matrix|table|grid|ask|sparkline|formatting|filters)\/.*\.ts$/.test(file),
    )
    .map((file) => readFileSync(new URL(file, all), 'utf8'));
  const spoken = texts
    .flatMap((text) => [...text.matchAll(/\.say\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, call = '']) => call))
    .flatMap((call) =>
      [...call.matchAll(/'([A-Z0-9{](?:[^'\\]|\\.)+|vs \{0\}|of the target \{0\})'/g)].map(([, words = '']) => words),
    );

  test.each(['de', 'fr', 'es'])('are all in %s, with the same values', (language) => {
    const words = elementLanguages[language] ?? {};
    expect(spoken.length).toBeGreaterThan(25);
    expect(spoken.filter((each) => words[each] === undefined)).toEqual([]);
    expect(Object.keys(words)).toEqual(Object.keys(elementLanguages.de ?? {}));
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
