import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { type FormatValue, formatterFor } from './format.ts';

const formatValue = (value: FormatValue, format: string | undefined, locale: string): string =>
  formatterFor(format, locale)(value);

const AFTERNOON = new Date(Date.UTC(1998, 0, 29, 17, 8, 6));

/** Checks every row: value, format, and the text written by hand. */
function table(title: string, locale: string, rows: readonly (readonly [FormatValue, string | undefined, string])[]) {
  describe(title, () => {
    it.each(rows)('%s as %s is "%s"', (value, format, expected) => {
      expect(formatValue(value, format, locale)).toBe(expected);
    });
  });
}

table('digits and groups', 'en-US', [
  [1234.5, '0', '1235'],
  [1234.5, '#,##0.00', '1,234.50'],
  [1234567, '#,#', '1,234,567'],
  [5, '000', '005'],
  [0, '#,##0', '0'],
  [0, '#', ''],
  [0, '#.00', '.00'],
  [0.5, '#.##', '.5'],
  [0.000001, '#.##;(#.##)', '.'],
  [2.1, '###.0#', '2.1'],
  [21628, '###.0#', '21628.0'],
  [12.345, '.0', '12.3'],
  [1234567.5, '.0,', '1234567.5'],
  [1234567, '#,##0,', '1,235'],
  [1234567, '0,,.0', '1.2'],
  [5551234567, '(000) 000-0000', '(555) 123-4567'],
  [123, '0-0', '12-3'],
  [12345, '0,0-0', '12,34-5'],
]);

table('half is rounded away from zero, by the digits that are written', 'en-US', [
  [2.5, '0', '3'],
  [11358.0865, '#,##0.000', '11,358.087'], // although the double is 11358.08649999999943…
  [-1.005, '0.00', '-1.01'], // although the double is -1.00499999999999989…
  [4403.765, '0.00', '4403.77'], // 4403.76500000000032…
  [{ decimal: '1.005' }, '0.00', '1.01'],
  [-2.5, '0', '-3'],
  [1.005, '0.00', '1.01'],
  [0.285, '0%', '29%'],
  [2.675, 'Fixed', '2.68'],
  [1.0005, '#,##0.###', '1.001'],
  [999.995, '#,##0.00', '1,000.00'],
  [0.5, '#', '1'],
  [0.05, '0.0', '0.1'],
  [0.04, '0.0', '0.0'],
]);

table('signs and sections', 'en-US', [
  [-5, '0', '-5'],
  [-5, '$#,##0', '-$5'],
  [-5, '$#,##0;($#,##0)', '($5)'],
  [-5, '#,##0.00;;;Nil', '-5.00'],
  [0, '#,##0;(#,##0);"none"', 'none'],
  [-0.001, '0.00', '0.00'],
  [-0.001, '0.0;(0.0);zero', 'zero'],
  [null, '#,##0.00;;;Nil', 'Nil'],
  [null, '#,##0.00', ''],
  [3, '"a;b"0', 'a;b3'],
]);

table('percent and scientific notation', 'en-US', [
  [0.2854, '0.00%', '28.54%'],
  [1, '###0%', '100%'],
  [0.5, '0%%', '5000%%'],
  [12345.678, '0.00E+00', '1.23E+04'],
  [0.000123, '0.00E-00', '1.23E-04'],
  [12345, '0.00e-0', '1.23e4'],
  [9999, '0.0E+0', '1.0E+4'],
  [12345, '##0.0E+0', '123.5E+2'],
  [0, '0.0E+0', '0.0E+0'],
]);

table('literals', 'en-US', [
  [12, '0 "items"', '12 items'],
  [12, '\\#0', '#12'],
  [12, '\\"0', '"12'],
  [12, '0\\', '12\\'],
  [12, '0 "open', '12 open'],
  [30, '$##.###.00', '$30.00'],
]);

table('properties for the client pass through', 'en-US', [
  [533546, '|#,##0|style=red', '|533,546|style=red'],
  [-5, '|#,##0|style=red', '|-5|style=red'],
  [-5, '|#,##0|style=green;|(#,##0)|style=red', '|(5)|style=red'],
  [null, '|#,##0|style=red', ''],
  [7, '0|', '7|'],
]);

table('numbers that are none', 'en-US', [
  [Number.POSITIVE_INFINITY, undefined, 'Infinity'],
  [Number.NEGATIVE_INFINITY, '#,##0', '-Infinity'],
  [Number.NEGATIVE_INFINITY, '0;(0)', '(Infinity)'],
  [Number.POSITIVE_INFINITY, '0.00%', 'Infinity%'],
  [Number.NaN, '#,##0.00', 'NaN'],
  [Number.NaN, undefined, 'NaN'],
]);

table('exact numbers keep their digits', 'en-US', [
  [{ decimal: '12345678901234567890.125' }, '#,##0.00', '12,345,678,901,234,567,890.13'],
  [{ decimal: '-0.50' }, '0.0', '-0.5'],
  [9007199254740993n, '#,##0', '9,007,199,254,740,993'],
  [1e21, '0', '1000000000000000000000'],
  [1.5e-7, '0.00000000', '0.00000015'],
]);

table('without a format', 'en-US', [
  [266773, undefined, '266,773'],
  [57814.858, '', '57,814.858'],
  [57814.8585, undefined, '57,814.859'], // the double is slightly more, 57814.85850000000209…
  [11358.0865, undefined, '11,358.086'], // the double is slightly less, 11358.08649999999943…
  [{ decimal: '11358.0865' }, undefined, '11,358.087'],
  [0.5, undefined, '0.5'],
  [-0.0001, undefined, '0'],
  ['Seattle', undefined, 'Seattle'],
  [true, undefined, 'true'],
  [null, undefined, ''],
  [new Date(Date.UTC(1997, 0, 5)), undefined, '1997-01-05'],
]);

table('named formats', 'en-US', [
  [266773, 'Standard', '266,773'],
  [266773, 'standard', '266,773'],
  [39431.67, 'Currency', '$39,431.67'],
  [-39431.67, 'Currency', '($39,431.67)'],
  [0.2854, 'Percent', '28.54%'],
  [1234.5, 'Fixed', '1234.50'],
  [1234.5, 'Scientific', '1.23E+03'],
  [1234567.25, 'General Number', '1234567.25'],
  [1234567, 'General Number', '1234567'],
  [true, 'Yes/No', 'Yes'],
  [0, 'On/Off', 'Off'],
  [-1, 'True/False', 'True'],
  [0.1, 'True/False', 'True'],
  [0.4, 'Yes/No', 'Yes'],
  [-0.4, 'On/Off', 'On'],
  [1e-300, 'Yes/No', 'Yes'],
  [{ decimal: '0.0000000000000000001' }, 'yes/no', 'Yes'],
  [{ decimal: '0.00' }, 'Yes/No', 'No'],
  [-0, 'True/False', 'False'],
  [0n, 'True/False', 'False'],
  [Number.POSITIVE_INFINITY, 'True/False', 'True'],
  [Number.NaN, 'True/False', 'NaN'],
  [null, 'Yes/No', 'No'],
  // A format of the caller rounds the written digits.
  [0.4, '"yes";"yes";"no"', 'no'],
  [AFTERNOON, 'General Date', '1/29/98 5:08:06 PM'],
  [AFTERNOON, 'Long Date', 'Thursday, January 29, 1998'],
  [AFTERNOON, 'Medium Date', '29-Jan-98'],
  [AFTERNOON, 'Short Date', '1/29/98'],
  [AFTERNOON, 'Long Time', '5:08:06 PM'],
  [AFTERNOON, 'Medium Time', '05:08 PM'],
  [AFTERNOON, 'Short Time', '17:08'],
]);

table('dates', 'en-US', [
  [AFTERNOON, 'yyyy-mm-dd', '1998-01-29'],
  [AFTERNOON, 'YYYY-MM-DD', '1998-01-29'],
  [AFTERNOON, 'd mmm yy', '29 Jan 98'],
  [AFTERNOON, 'dddd, mmmm d', 'Thursday, January 29'],
  [AFTERNOON, 'ddd', 'Thu'],
  [AFTERNOON, '"Q"q y ww w', 'Q1 29 5 5'],
  [AFTERNOON, 'hh:mm:ss', '17:08:06'],
  [AFTERNOON, 'h:n AM/PM', '5:8 PM'],
  [AFTERNOON, 'h a/p', '5 p'],
  [AFTERNOON, 'h AMPM', '5 PM'],
  [AFTERNOON, 'mm hh', '01 17'],
  [new Date(Date.UTC(1998, 11, 31, 0, 30)), 'h:nn am/pm y', '12:30 am 365'],
  ['1997-01-05', 'dd mmm yyyy', '05 Jan 1997'],
  ['1997-01-05T13:45:00', 'd.m. hh:nn', '5.1. 13:45'],
  ['13:45:10', 'h:nn', '13:45'],
  ['next week', 'dd mmm', 'next week'],
  [35000.5, 'yyyy-mm-dd hh:nn', '1995-10-28 12:00'],
  [null, 'yyyy', ''],
]);

table('texts', 'en-US', [
  ['abc', '>', 'ABC'],
  ['ABC', '<', 'abc'],
  ['abc', '@@@@@', '  abc'],
  ['abc', '&&&&&', 'abc'],
  ['abc', '!@@@@@x', 'abc  x'],
  ['abcdef', '@@@', 'abcdef'],
  ['5551234', '@@@-@@@@', '555-1234'],
  [42, '@@@@', '  42'],
  ['', '@@;none', 'none'],
  [null, '@@;none', 'none'],
  [null, '@@', ''],
  ['abc', '#,##0', 'abc'],
]);

table('in German', 'de-DE', [
  [1234567.891, '#,##0.00', '1.234.567,89'],
  [39431.67, 'Currency', '€39.431,67'],
  [57814.5, undefined, '57.814,5'],
  [5, undefined, '5'],
  [AFTERNOON, 'Long Date', 'Donnerstag, 29. Januar 1998'],
  [AFTERNOON, 'd/m/yyyy', '29.1.1998'],
  [AFTERNOON, 'mmmm', 'Januar'],
]);

table('in French', 'fr_FR', [
  [1234567.891, '#,##0.0', '1 234 567,9'],
  [AFTERNOON, 'dddd d mmmm', 'jeudi 29 janvier'],
]);

/** Random doubles with at most five decimals. The oracle rounds with whole numbers. */
it('rounds the digits of a double, a half away from zero', () => {
  const oracle = (value: number) => {
    const [whole = '', fraction = ''] = Math.abs(value).toFixed(5).split('.');
    const cents = (BigInt(whole + fraction) + 500n) / 1000n;
    const digits = String(cents).padStart(3, '0');
    const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
    const grouped = text.replaceAll(/\d(?=(?:\d{3})+\.)/g, '$&,');
    return value < 0 && cents !== 0n ? `-${grouped}` : grouped;
  };
  let seed = 20261121;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let round = 0; round < 5_000; round += 1) {
    const value = Number(((random() - 0.5) * 10 ** Math.floor(random() * 10)).toFixed(Math.floor(random() * 6)));
    expect(formatValue(value, '#,##0.00', 'en-US')).toBe(oracle(value));
  }
});

it('refuses an invalid locale', () => {
  expect(() => formatValue(1, '0', 'no such locale')).toThrow(ValidationError);
});

it('accepts any text as a format', () => {
  // Every format of one or two characters with a meaning.
  const signs = [...'0#.,%eE+-;"\\|@&<>!dmyhnstqwc/: ab'];
  const values: readonly FormatValue[] = [1.5, -2, 0, null, 'x', true, AFTERNOON, Number.NaN];
  for (const left of signs)
    for (const right of ['', ...signs])
      for (const value of values) expect(typeof formatValue(value, left + right, 'en-US')).toBe('string');
});

it('writes digits that stand together as it writes them around a text', () => {
  // A text among the digits needs a step for each token; without it, the format has a writer of its own.
  const formats = [
    '#,##0~.00',
    '0~00',
    '#,#~#0.0##',
    '$#,##0~.###%',
    '(000~.0)',
    '#~',
    '#~.##',
    '0~,,.0',
    '#,##0~.00;(0.0~)',
  ];
  const values = [
    0,
    0.004,
    0.005,
    0.05,
    1,
    9.995,
    12.5,
    999.999,
    1000,
    1234.5678,
    1e7 + 0.125,
    1e21,
    123456789.987,
    5e-7,
  ];
  for (const format of formats)
    for (const value of values.flatMap((each) => [each, -each])) {
      const apart = formatValue(value, format.replaceAll('~', '\\~'), 'en-US').replaceAll('~', '');
      expect([format, value, formatValue(value, format.replaceAll('~', ''), 'en-US')]).toEqual([format, value, apart]);
    }
});

it(`writes a double as it writes the decimal with its digits (seed ${SEED})`, () => {
  const formats = [
    '#,##0.00',
    '0',
    '#,##0',
    '#,#.##',
    '$0.0#%',
    '0.000,',
    '#,##0,,',
    '(0.0);[0.00];nil',
    '|0.0|style=red',
    '0.0000000',
  ];
  const near = fc
    .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.constantFrom(1, 2, 8, 10, 200, 1_000, 2_000, 20_000))
    // Halves of the last place, and the doubles beside them.
    .chain(([whole, by]) => fc.constantFrom(-1, 0, 1).map((step) => (whole / by) * (1 + step * Number.EPSILON)));
  const doubles = fc.oneof(near, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(doubles, fc.constantFrom(...formats), (value, format) => {
      const decimal = { decimal: String(value) };
      expect(formatValue(value, format, 'en-US')).toBe(formatValue(decimal, format, 'en-US'));
    }),
    { seed: SEED, numRuns: 20_000 },
  );
});
