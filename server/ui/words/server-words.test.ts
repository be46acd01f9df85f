import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { planInWords, planParts } from './plan-words.ts';
import { inWords, sentenceParts } from './server-words.ts';

/** Folders and files of the server with the sentences that the pages of data and of models, and the explorer show. */
const SPEAKING = [
  'server/file-import',
  'server/links',
  'server/warehouse',
  'plugins/inference',
  'plugins/data',
  'plugins/datasources/load-within.ts',
  'plugins/datasources/board.ts',
  'plugins/semantic/edit',
  'plugins/semantic/lint',
  'plugins/semantic/model',
  'plugins/semantic/query',
  'plugins/query-surface',
  'plugins/cube/catalog/catalog.ts',
  'plugins/cube/query',
  'router/schema-messages.ts',
];

/** Files with sentences that no page of these shows, with the reader that they have. */
const OTHER_READERS = [
  /plugins\/inference\/propose\/proposal-prompt\.ts$/, // the language model
  /plugins\/inference\/publish\/made-mark\.ts$/, // readers of a descriptor
  /plugins\/semantic\/lint\/lint-document\.ts$/, // the command line
  /server\/warehouse\/.*(statement-check|values|parameters|literals|dialect)\.ts$/, // askers of one query
  /plugins\/query-surface\/(analysis-tools|repair-hint)\.ts$/, // agents
  /server\/warehouse\/(pool|quoting|limits)\.ts$/, // askers of one query
];

/** Sentences that no page shows: the operator's log, the language model, callers without a page. */
const UNSEEN = [
  /^A ClickHouse warehouse is used with a profile/,
  /^A PostgreSQL warehouse is used as superuser/,
  /^Call propose_cubes\.$/,
  /^Send JSON: /,
  /^A comma list of /,
  /And \S+ more\.$/,
  /^A value has characters, such as emoji/,
  // Callers that name parts, or send a conversation
  /^There is no "x1" among the x1\.$/,
  /^A turn says something\.$/,
  /^There are members here that this has not\.$/,
  // The reason beside masked cells; views mark the cells
  /are masked \(k-anonymity\)\.$/,
  // The reference of the API
  /^At most x1 of one user may be in flight;/,
  /an addition of this product\.$/,
  /^The profile is flat\./,
  /^How to read the tables, as JSON/,
];

/** Sentences that are put together from texts of several places, each with examples that have words. */
const COMPOSED: readonly (readonly [form: RegExp, ...examples: string[]])[] = [
  [/^x1 of x1 values of x1 are not x1:/, '2 of 9 values of a are not numbers: k.A. (2). The column is kept as text.'],
  [
    /^x1 of x1 lines (has|have) x1\.$/,
    '1 of 9 lines has fewer than 3 values (line 4): the last ones are empty.',
    '2 of 9 lines have more than 3 values (lines 4, 5) and not in the table: correct the file and add it again.',
  ],
  [
    /^x1 x1\. An administrator names hosts/,
    'https://a.example/b is not allowed. An administrator names hosts in service.links.allow.',
  ],
  [/^The warehouse has no x1 "x1"\.$/, 'The warehouse has no schema "a".', 'The warehouse has no catalog "a".'],
  [
    /^x1 has x1 as x1, x1\./,
    'a has months as numbers, YYYYMM. The cube reads them as dates; other values are in the group without a date.',
    'a has dates as texts, DD.MM.YYYY. The cube reads them as dates; other values are in the group without a date.',
  ],
  [
    /^(Together the columns are the key of x1; x1|The name matches, and x1|The name hints at x1, and x1|x1, and x1 is its key)\.$/,
    'Together the columns are the key of a; 98 % of its values are in it.',
    'The name matches, and 98 % of its values are in it.',
    'The name hints at a, and 98 % of its values are in it.',
    '98 % of its values are in it, and a is its key.',
  ],
  [
    /^(x1 is no key: (the data has x1 on|it is null on x1)|in the data x1 is not unique in x1: x1 on)/,
    'primary_key id is no key: the data has 1 value on more than one row.',
    'primary_key id is no key: it is null on 3 rows.',
    'in the data id is not unique in orders: 2 values on more than one row.',
  ],
  [
    /^There is no x1 "x1"x1\.$/,
    'There is no dataset "a".',
    'There is no field "a" in sales.',
    'There is no metric "a".',
    'There is no metric "a" among the values of this query.',
  ],
  [
    /^There is no x1 "x1" in x1\.$/,
    'There is no measure "a" in the cube.',
    'There is no dimension "a" in the cube.',
    'There is no hierarchy "a" in the dimension Time.',
    'There is no level "a" in the hierarchy Time.',
  ],
  [/^The answer has x1; position/, 'The answer has 2 columns and 3 rows; position is col:row, and both begin with 0.'],
  [
    /^x1 cannot express x1: it takes a level/,
    'The hierarchy Time cannot express ytd: it takes a level of years, quarters, months or days that is no coarser than that.',
    'The level Month cannot express ytd: it takes a level of years, quarters, months or days that is no coarser than that.',
  ],
  [
    /^x1 (the member|one of the members, which is of the level) x1\.$/,
    'The level Year is above the member [Time].[2024].',
    'The level Year is above one of the members, which is of the level Month.',
  ],
];

/** Steps of plans that are put together, with an example of each form. */
const COMPOSED_STEPS: readonly (readonly [form: RegExp, ...examples: string[]])[] = [
  [
    /^x1: x1 x1 of x1\.$/,
    'net_sales: sum by sales.date of the rows of sales.',
    'net_sales: sum over everything of the rows of sales.',
  ],
  [/^Distinct combinations of x1 from x1\.$/, 'Distinct combinations of sales.channel from the rows of sales.'],
  [
    /^Every x1 from the first to the last is answeredx1x1;/,
    'Every sales.date from the first to the last is answered; where there is no row, metrics are null.',
    'Every sales.date from the first to the last is answered, for each sales.channel that appears; where there is no row, metrics are null.',
  ],
  [
    /^x1 is compared with what it was x1 /,
    'net_sales is compared with what it was 1 year earlier (previous year): each sales.date is computed again for that time, null where it has no rows.',
    'net_sales is compared with what it was 2 months earlier (2 months earlier): the days that filters of sales.date name is computed again for that time, null where it has no rows.',
  ],
  [
    /^Rows pass whose x1 has a x1 /,
    'Rows pass whose stores.id has a net_sales that passes its filter, computed by stores.id of the rows of sales; other filters of the query do not apply there.',
  ],
  [
    /^Groups are answered where x1 /,
    'Groups are answered where net_sales passes its filter.',
    'Groups are answered where net_sales passes its filter, unless they are masked.',
  ],
  [/^A part of x1 x1\.$/],
];

/** The folder with the sentences of plans. */
const EXPLAINING = /plugins\/(semantic\/query\/explain\/|query-surface\/rollup-use\.ts)/;

/** Members and calls with texts for readers of the reference and of the log. */
const REFERENCE_MEMBERS = new Set(['summary', 'description', 'implementationChoice']);
const REFERENCE_CALLS = /(^|\.)(describe|meta|debug|info|warn|error)$|^(InternalError|Error)$/;
/** Calls of such names that collect the problems of a document. */
const PROBLEM_CALLS = /^(this\.#?)?problems\.(warn|error)$/;

function filesOf(place: string): readonly string[] {
  if (place.endsWith('.ts')) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)testing\//.test(file))
    .map((file) => join(place, file));
}

/** Returns the forms of a text in a source, with `x1` for each value: one for each choice between literals. */
function formsOf(node: ts.Expression): readonly string[] {
  const conditions = new Set<string>();
  const findConditions = (inner: ts.Node): void => {
    if (ts.isConditionalExpression(inner)) conditions.add(inner.condition.getText());
    ts.forEachChild(inner, findConditions);
  };
  findConditions(node);
  let choices: ReadonlyMap<string, boolean>[] = [new Map()];
  for (const condition of conditions)
    choices = choices.flatMap((choice) => [true, false].map((is) => new Map([...choice, [condition, is]])));
  return choices.map((choice) => formOf(node, choice).replace(/^x1 ?(?=[A-Z])/, ''));
}

/** Returns the form of a text where its conditions are as given. */
function formOf(node: ts.Expression, choice: ReadonlyMap<string, boolean>): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return formOf(node.expression, choice);
  if (ts.isConditionalExpression(node))
    return formOf(choice.get(node.condition.getText()) === true ? node.whenTrue : node.whenFalse, choice);
  if (!ts.isTemplateExpression(node)) return 'x1';
  return node.templateSpans.reduce(
    (form, { expression, literal }) => form + formOf(expression, choice) + literal.text,
    node.head.text,
  );
}

function isForReference(node: ts.Node): boolean {
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
    if (ts.isPropertyAssignment(outer) && REFERENCE_MEMBERS.has(outer.name.getText())) return true;
    if ((ts.isCallExpression(outer) || ts.isNewExpression(outer)) && outer.expression !== node) {
      const called = outer.expression.getText();
      if (REFERENCE_CALLS.test(called) && !PROBLEM_CALLS.test(called)) return true;
    }
  }
  return false;
}

/** Returns the sentences of a source: texts of three words or more that end with a full stop. */
function sentencesIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const forms = formsOf(node).filter((form) => /^\S+ \S+ .*\.$/s.test(form));
      if (forms.length > 0 && !isForReference(node)) sentences.push(...forms);
    }
    // The literals within a template belong to its forms.
    if (!ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return sentences;
}

const files = SPEAKING.flatMap(filesOf).filter((file) => !OTHER_READERS.some((each) => each.test(file)));

const leaveOut = (): string => '';
const parts = sentenceParts();

/** Returns whether a text has words: nothing is left of it, but the name of the thing before it. */
function isKnown(text: string): boolean {
  return !/[a-z]{2}/.test(inWords(text, leaveOut).replace(/^(.*?: )+/, ''));
}

function isKnownStep(text: string): boolean {
  return planInWords(text, leaveOut) === '';
}

/** Returns whether a form has words: as it is, without the values that are joined to words, or as the end of a sentence. */
function isFormKnown(form: string): boolean {
  return (
    isKnown(form) ||
    isKnown(form.replaceAll(/(?<=[a-z)])x1/g, '')) ||
    parts.some((each) => each.join('x1').endsWith(form))
  );
}

test('each sentence of the server that pages show has words in other languages', () => {
  const unknown = files
    .filter((file) => !EXPLAINING.test(file))
    .flatMap((file) =>
      sentencesIn(file)
        .filter((each) => ![...UNSEEN, ...COMPOSED.map(([form]) => form)].some((known) => known.test(each)))
        .filter((each) => !isFormKnown(each))
        .map((each) => `${file}: ${each}`),
    );
  expect(files.length).toBeGreaterThan(150);
  expect(unknown).toEqual([]);
  expect(COMPOSED.flatMap(([, ...examples]) => examples).filter((each) => !isKnown(each))).toEqual([]);
});

test('each step of a plan has words in other languages', () => {
  const steps = files.filter((file) => EXPLAINING.test(file)).flatMap(sentencesIn);
  const unknown = steps.filter((each) => !COMPOSED_STEPS.some(([form]) => form.test(each)) && !isKnownStep(each));
  expect(steps.length).toBeGreaterThan(15);
  expect(unknown).toEqual([]);
  expect(COMPOSED_STEPS.flatMap(([, ...examples]) => examples).filter((each) => !isKnownStep(each))).toEqual([]);
});

describe('each sentence is in the sources, word for word:', () => {
  const sources = [
    ...files,
    'router/capabilities/warehouse.ts',
    'router/to-service-error.ts',
    'server/ui/api-client/client.ts',
  ]
    .concat(filesOf('plugins/personal-data'), filesOf('plugins/datasources'))
    .concat(filesOf('server/oauth'))
    .concat('server/warehouse/limits.ts', 'router/date-grains.ts', 'plugins/semantic/compare/compare-targets.ts');
  const text = sources.map((file) => readFileSync(file, 'utf8').replaceAll('\\`', '`')).join('\n');
  /** Words that are put together from several literals. */
  const PUT_TOGETHER =
    /^(The first|\) and not in|This is not an? (Parquet|Excel)|The JSON is malformed\.|The file cannot be read:|1 (embed token|public grant) of|leads to no .csv|, which is neither a field nor a column;|% of its values|, by the counts|, and .*% of|is above (the|one)|There is no hierarchy|are shown (at|in) the|that (appears|shares a day with it); where|from the first to the last is answered; where|over everything of|1 [a-z]+$)/;
  // Words that are written once for one and once for several things are alternatives of one literal.
  const isWritten = (part: string): boolean =>
    PUT_TOGETHER.test(part.trim()) ||
    text.includes(part) ||
    part
      .split(
        /\b(?:value|values|row|rows|line|lines|day|days|have|has|mean|means|numbers|dates|months|texts|true or false|are|is|in line|schema|catalog|The document|tokens?|grants?|between|and|\.|which)\b|[.:,()]/,
      )
      .every((piece) => text.includes(piece.trim()));

  test('none is left over from an earlier version', () => {
    expect([...sentenceParts(), ...planParts()].flatMap((parts) => parts.filter((part) => !isWritten(part)))).toEqual(
      [],
    );
  });
});

/** Says a sentence in German by the file of the language. */
function german(parts: readonly string[], values: readonly string[]): string {
  const words = JSON.parse(readFileSync('server/ui/locales/de.json', 'utf8')) as Record<string, string>;
  const text = words[parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join('')] ?? '';
  return text.replaceAll(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '');
}

test('a message is said with its values in the place that the language has for them', () => {
  const english = 'There are 4 values in line 12 where the header has 5.';
  expect(inWords(english)).toBe(english);
  expect(inWords(english, german)).toBe('In Zeile 12 stehen 4 Werte, es gibt aber 5 Spaltennamen.');
  expect(inWords(`orders.csv: ${english}`, german)).toBe(
    'orders.csv: In Zeile 12 stehen 4 Werte, es gibt aber 5 Spaltennamen.',
  );
  const finding =
    '7 of 40 values of Preis (netto) are not numbers: k.A. (4), - (2), ? (1) and 2 more. The column is kept as text.';
  expect(inWords(finding, german)).toBe(
    '7 von 40 Werten in Preis (netto) sind keine Zahlen: k.A. (4), - (2), ? (1) und 2 weitere. Die Spalte bleibt Text.',
  );
  expect(inWords('Its values look like an address. It has 21 different values.', german)).toBe(
    'Die Werte sehen so aus: eine Anschrift. Sie hat 21 verschiedene Werte.',
  );
});

test('a message of several sentences is said whole, also behind a name', () => {
  expect(
    inWords(
      'Lager: No file has the table "kunden", which shop needs. Bring its file, too. The data is as it was before.',
      german,
    ),
  ).toBe(
    'Lager: Keine Datei hat die Tabelle "kunden", die shop braucht. Bringen Sie auch diese Datei. Die Daten sind wie vorher.',
  );
  expect(inWords('The warehouse cannot be reached: its host name is not known.', german)).toBe(
    'Die Datenbank ist nicht erreichbar: Ihr Hostname ist nicht bekannt.',
  );
  expect(
    inWords(
      'metric share: divides without NULLIF. Here a zero divisor gives null; other readers of the document may fail. Write a / NULLIF(b, 0).',
      german,
    ),
  ).toBe(
    'Kennzahl share: teilt ohne NULLIF. Hier ergibt ein Teiler null keinen Wert; andere Leser des Dokuments können scheitern. Schreiben Sie a / NULLIF(b, 0).',
  );
});

test('a sentence that is not known stays, beside known ones', () => {
  expect(inWords('An unknown sentence. Number of rows.', german)).toBe('An unknown sentence. Anzahl der Zeilen.');
  expect(inWords('An unknown sentence.', german)).toBe('An unknown sentence.');
});

test('the steps of a plan are said with the words inside of their values', () => {
  expect(
    planInWords(
      'net_sales: sum by sales.date (month) of the rows of sales, joined along sales → stores (store), filtered by stores.city; and of the rows of returns.',
      german,
    ),
  ).toBe(
    'net_sales: Summe nach sales.date (month), über die Zeilen von sales, verbunden über sales → stores (store), gefiltert nach stores.city; und über die Zeilen von returns.',
  );
  expect(
    planInWords(
      'sales.date is the first day of the week, by the clocks of Europe/Berlin, weeks from Monday on.',
      german,
    ),
  ).toBe('sales.date ist der erste Tag der Woche, nach den Uhren von Europe/Berlin, Wochen ab Montag.');
  expect(
    planInWords(
      'Rows pass where these filters pass: sales.channel or (stores.city and metrics per stores.id).',
      german,
    ),
  ).toBe(
    'Es zählen die Zeilen, die diese Filter erfüllen: sales.channel oder (stores.city und Kennzahlen je stores.id).',
  );
  expect(planInWords('A part of share has in each group what it was 3 months earlier, by its main date.', german)).toBe(
    'Ein Teil von share hat in jeder Gruppe den Wert, der 3 Monate früher galt, nach dem Hauptdatum.',
  );
  // A condition of the document is SQL, not a phrase.
  expect(planInWords("web_sales is of the rows where channel = 'web' or day > 5.", german)).toBe(
    "web_sales liest nur die Zeilen, für die gilt: channel = 'web' or day > 5.",
  );
});

test('a phrase is said only in a sentence that has phrases', () => {
  expect(inWords('"date" may mean sales.date or returns.date; name one of them.', german)).toBe(
    '"date" kann heißen: sales.date oder returns.date. Nennen Sie eines davon.',
  );
  expect(inWords('There is no member "Bed and Breakfast" on the level City.', german)).toBe(
    'Es gibt kein Element "Bed and Breakfast" auf der Ebene City.',
  );
});
