import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../src/api/parse-answer.ts';
import { findOthers } from '../src/chart/frame.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';

/** Three months of three shops; the second shop is the smallest, and the third month. */
const body = (more: object = {}) =>
  parseAnswer(
    answer(
      [
        { ...dimension('month', 'Month', 'date'), grain: 'month' },
        dimension('shop', 'Shop'),
        { ...metric('m', 'M'), ...more },
      ],
      ['2025-01-01', '2025-02-01', '2025-03-01'].flatMap((month, at) =>
        ['A', null, 'C'].map((shop, index) => {
          const value = 100 - 20 * at - 30 * (index % 2);
          return { month, shop, m: cell(value, `${value}`) };
        }),
      ),
    ),
  );

describe('the rest of a series', () => {
  test('is asked for as all members but the largest', () => {
    expect(findOthers(body(), { series: 'shop', top: 2 })).toEqual({ field: 'shop', except: ['A', 'C'] });
    expect(findOthers(body(), { series: 'month', top: 2 })).toEqual({
      field: 'month',
      except: ['2025-01-01', '2025-02-01'],
    });
  });

  test('names the member without a name where the chart draws it', () => {
    expect(findOthers(body(), { series: 'shop', top: 3 })).toBeUndefined();
    const large = body();
    const rows = large.rows.map((row) =>
      row.map((each, at) => (at === 2 && row[1]?.text === undefined ? { ...each, number: 999 } : each)),
    );
    expect(findOthers({ ...large, rows }, { series: 'shop', top: 1 })).toEqual({ field: 'shop', except: [null] });
  });

  test('is not asked for where the metric does not add up over the dimension', () => {
    for (const aggregationKind of ['avg', 'ratio', 'count_distinct', 'max', undefined])
      expect(findOthers(body({ aggregationKind }), { series: 'shop', top: 2 }), aggregationKind).toBeUndefined();
    const stock = body({ additive: 'not_over_time' });
    expect(findOthers(stock, { series: 'month', top: 2 })).toBeUndefined();
    expect(findOthers(stock, { series: 'shop', top: 2 })?.field).toBe('shop');
  });
});
