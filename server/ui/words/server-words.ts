/**
 * The server writes its sentences in English. `inWords` says those in the visitor's language that stand below, with `{0}` for the first value of a
 * sentence, and returns every other sentence as it is. `server-words.test.ts` compares them with the sources of the server.
 */
import { msg, str } from '@lit/localize';

const PLACE = /\{\d\}/;

/** What was found while files were read: `server/file-import/`. */
const FINDINGS = [
  sentence('The first line is above the header and not in the table.'),
  sentence('The first {0} lines are above the header and not in the table.'),
  sentence('{0} of {1} lines has fewer than {2} values ({3}): the last ones are empty.'),
  sentence('{0} of {1} lines have fewer than {2} values ({3}): the last ones are empty.'),
  sentence('{0} of {1} lines has more than {2} values ({3}) and not in the table: correct the file and add it again.'),
  sentence('{0} of {1} lines have more than {2} values ({3}) and not in the table: correct the file and add it again.'),
  sentence('{0} of {1} values of {2} are not numbers: {3}. The column is kept as text.'),
  sentence('{0} of {1} values of {2} are not dates: {3}. The column is kept as text.'),
  sentence('{0} of {1} values of {2} are not true or false: {3}. The column is kept as text.'),
  sentence('{0} of {1} values of {2} are empty now: {3}.'),
  sentence('{0} values of {1} are treated as empty: {2}.'),
  sentence('{0} has numbers in {1} units: {2}. They are not added up, and the column is kept as text.'),
  sentence('{0} value of {1} ({2}) means that there is no value: empty.'),
  sentence('{0} values of {1} ({2}) mean that there is no value: empty.'),
  sentence('{0} stands beside {1} of {2} numbers of {3}. The other {4} are read as {5}, too.'),
  sentence(
    '{0} of {1} dates of {2} have two digits of the year: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068.',
  ),
  sentence('{0} of {1} rows of {2} repeat another row in every column. They are kept.'),
  sentence('{0} repeated rows of {1} are dropped.'),
  sentence('{0} rows of {1} are dropped: only the first row of each {2} is kept.'),
  sentence('{0} is not unique in {1}: {2} row too many. Without a unique column, the table cannot be joined.'),
  sentence('{0} is not unique in {1}: {2} rows too many. Without a unique column, the table cannot be joined.'),
  sentence(
    '{0} of {1} rows of {2} have no row in {3} ({4} is empty or unknown there). Answers show them in a group without a name.',
  ),
];

/** The repairs of findings. */
const REPAIRS = [
  sentence('Treat this value as empty'),
  sentence('Treat these values as empty'),
  sentence('Keep as text'),
  sentence('Put the unit into a separate column'),
  sentence('Only {0}: {1} others become empty'),
  sentence('Make them empty'),
  sentence('The header is line 1'),
  sentence('Drop it'),
  sentence('Drop them'),
  sentence('Keep the first row of each {0}'),
];

/** Why a file is refused. */
const REFUSALS = [
  sentence('The file is empty.'),
  sentence('The file has only white space.'),
  sentence('The file has no rows.'),
  sentence('The file has no columns.'),
  sentence('The file has more than {0} columns.'),
  sentence('This is not a Parquet file.'),
  sentence('This is not a Parquet file but {0}.'),
  sentence('The Parquet file is not whole: its end is missing.'),
  sentence('The JSON is not whole: its end is missing.'),
  sentence('This is not an Excel workbook (.xlsx).'),
  sentence('This is not an Excel workbook (.xlsx) but {0}.'),
  sentence('This is not {0} text but {1}.'),
  sentence('This is not {0} text: it contains binary data.'),
  sentence('This JSON has no rows: it begins with neither [ nor {.'),
  sentence('This is not CSV but a web page.'),
  sentence('A quoted value does not end, or goes on behind its quote.'),
  sentence('A quoted value does not end, or continues after its closing quote.'),
  sentence('A quoted value in line {0} does not end, or continues after its closing quote.'),
  sentence('{0} of {1} lines do not have {2} values, as the header has (for example {3}).'),
  sentence('There are {0} values where the header has {1}.'),
  sentence('There are {0} values in line {1} where the header has {2}.'),
  sentence(
    'The columns of the file cannot be found: its lines differ in their number of values, or a quoted value does not end.',
  ),
  sentence('The JSON is nested more than {0} levels deep.'),
  sentence(
    'A sheet has cells far from its table, up to {0}. Delete the rows and columns between them, or save the table as a CSV file.',
  ),
  sentence('The JSON is malformed.'),
  sentence('The JSON is malformed in line {0}.'),
  sentence('One JSON object is too large.'),
  sentence('The file needs more memory than a file may take here.'),
  sentence('The file cannot be read: it is broken or no table.'),
  sentence('The file cannot be read in line {0}: it is broken or no table.'),
  sentence('The file unpacks to far more than its own size.'),
  sentence('No sheet of the workbook has a table: a row of names with rows below it.'),
  sentence('The workbook unpacks to more than 400 MB. Save its sheets as CSV files.'),
  sentence('The workbook cannot be read: it is broken, or protected by a password.'),
  sentence('{0} has no column {1}.'),
];

/** Why something was proposed or left out: `plugins/inference/`. */
const REASONS = [
  sentence('The table declares it.'),
  sentence('The name matches, and {0} % of its values are in it.'),
  sentence('The name hints at {0}, and {1} % of its values are in it.'),
  sentence('{0} % of its values are in it, and {1} is its key.'),
  sentence('Together the columns are the key of {0}; {1} % of its values are in it.'),
  sentence('The names belong to a calendar.'),
  sentence('Each {0} has one {1}, by the counts.'),
  sentence('Each {0} has one {1}.'),
  sentence('It joins tables.'),
  sentence('It has no values.'),
  sentence('All its values are the same.'),
  sentence('It has {0} different values, too many for a dimension.'),
  sentence('It has {0} different values.'),
  sentence('No measure and no dimension needs it.'),
  sentence('It records when or how the row was loaded.'),
  sentence('Its values are long texts.'),
  sentence('Its type has no plain values.'),
  sentence('A column of the fact table with {0} different values.'),
  sentence('Number of rows.'),
  sentence('Number of different values in {0}.'),
  sentence('Amount of money: added up.'),
  sentence('Numeric column: added up.'),
  sentence('Numeric column whose sum means nothing: averaged.'),
  sentence('Numeric column whose sum means nothing: averaged, weighted by {0}.'),
  sentence('{0} has the key of the parent in {1}: a tree of any depth.'),
  sentence('Only amounts with {0} = {1}, as amounts of several currencies do not add up.'),
  sentence('A date: years, quarters, months and days follow from it.'),
  sentence('A served model of the warehouse marks it.'),
  sentence('By its name it holds {0} ({1}).'),
  sentence('Its values look like {0}.'),
  sentence('It has no rows.'),
  sentence('Other tables refer to it: it describes their rows.'),
  sentence('It is a calendar, and no table refers to it.'),
  sentence('It has numbers, but nothing to group them by.'),
  sentence('It only connects {0}.'),
  sentence('It has nothing to add up, and neither dates nor other tables to count its rows by.'),
];

/** Parts of sentences that are values of others. */
const PARTS = [
  sentence('{0} and {1} more'),
  sentence('line {0}'),
  sentence('lines {0}'),
  sentence('a Parquet file'),
  sentence('a gzip archive'),
  sentence('a zip archive or an Excel workbook'),
  sentence('an old Excel workbook'),
  sentence('a Zstandard archive'),
  sentence('a PDF'),
  sentence('a picture'),
  sentence('a SQLite database'),
  sentence('an e-mail address'),
  sentence('a telephone number'),
  sentence('an official number of a person'),
  sentence('a payment detail'),
  sentence('a date of birth'),
  sentence('the name of a person'),
  sentence('an address'),
  sentence("the address of a person's device"),
  sentence('single persons'),
];

/** Longer messages stay as they are: they are compared with every sentence. */
const MAX_LENGTH = 1_000;

interface Sentence {
  readonly parts: readonly string[];
  readonly pattern: RegExp;
}

/** Reads a sentence. `scripts/locales.ts` finds the calls of this function. */
function sentence(text: string): Sentence {
  const parts = text.split(PLACE);
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([\\s\\S]+?)');
  return { parts, pattern: new RegExp(`^${pattern}$`) };
}

/** Returns the texts between the values of all sentences, for the comparison with the sources of the server. */
export function sentenceParts(): readonly (readonly string[])[] {
  return [...FINDINGS, ...REPAIRS, ...REFUSALS, ...REASONS].map(({ parts }) => parts);
}

/** Says the texts around the values of a sentence in another language. */
type Speak = (parts: readonly string[], values: readonly string[]) => string;

/**
 * Says a message of the server in the visitor's language, as far as it has known sentences.
 *
 * @param speak another language, for tests
 */
export function inWords(message: string, speak: Speak = speakOfPage): string {
  if (message.length > MAX_LENGTH) return message;
  const whole = say(message, [...FINDINGS, ...REPAIRS, ...REFUSALS], speak);
  if (whole !== undefined) return whole;
  // A refusal begins with the name of its file, a finding about later files with that of its table.
  const [, file = '', rest = ''] = /^([^:]{1,300}: )([\s\S]+)$/.exec(message) ?? [];
  const said = rest === '' ? undefined : say(rest, [...FINDINGS, ...REFUSALS], speak);
  if (said !== undefined) return file + said;
  return message
    .split(/(?<=\.) /)
    .map((each) => say(each, REASONS, speak) ?? each)
    .join(' ');
}

function say(message: string, sentences: readonly Sentence[], speak: Speak): string | undefined {
  for (const { parts, pattern } of sentences) {
    const [all, ...values] = pattern.exec(message) ?? [];
    if (all !== undefined)
      return speak(
        parts,
        values.map((value) => say(value, PARTS, speak) ?? value),
      );
  }
  return undefined;
}

function speakOfPage(parts: readonly string[], values: readonly string[]): string {
  return values.length === 0 ? msg(parts.join('')) : msg(str(Object.assign([...parts], { raw: parts }), ...values));
}
