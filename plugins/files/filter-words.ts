import type { DrillStep } from '../../router/capabilities/drilling.ts';
import type { RuntimeFilter } from '../../router/capabilities/query-source.ts';
import { RELATIVE_PERIODS, type RelativePeriod } from '../../router/relative-periods.ts';
import { headingIn, periodsIn } from './period-words.ts';
import { filled, wordsOf } from './words.ts';

/** The member of a cube without a key or a name, as conditions name it. */
const NAME_OF_NULL = '#null';

/** Writes conditions as a reader of a file needs them: `stores.region = North, South`. */
export function conditionsInWords(conditions: readonly RuntimeFilter[], locale = 'en'): readonly string[] {
  const { conditions: words, relative } = wordsOf(locale);
  return conditions.map(({ field, op, values }) => {
    if (op === 'BETWEEN') return filled(words.BETWEEN, field, ...values);
    if (op !== 'RELATIVE')
      return filled(words[op], field, values.map((value) => (value === NAME_OF_NULL ? '–' : value)).join(', '));
    const [period = '', count = '1'] = values;
    return filled(words.EQ, field, isPeriod(period) ? filled(relative[period], count) : period);
  });
}

function isPeriod(name: string): name is RelativePeriod {
  return Object.hasOwn(RELATIVE_PERIODS, name);
}

/** Writes the steps down to an answer: `Region = North`. `trail` has the labels and texts of the steps. */
export function stepsInWords(
  trail: readonly { readonly label: string; readonly text: string | null }[],
  steps: readonly DrillStep[],
  { locale, labels }: { readonly locale: string; readonly labels?: 'model' | 'locale' | undefined },
): readonly string[] {
  const { conditions: words } = wordsOf(locale);
  return trail.map(({ label: written, text }, at) => {
    const { field = '', values = {} } = steps[at] ?? {};
    const grain = field.split('.').at(-1);
    const label = labels === 'locale' ? headingIn({ label: written, grain }, locale) : written;
    if (text === null || text === NAME_OF_NULL) return filled(words.IS_NULL, label);
    const value = values[field] ?? '';
    const column = { labels: { [value]: text }, grain };
    return filled(words.EQ, label, labels === 'locale' ? (periodsIn(column, locale)[value] ?? text) : text);
  });
}
