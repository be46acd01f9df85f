/** Sentences about files that are read: `server/file-import/`, `server/links/`. */
import { sentence } from './sentence.ts';

/** Describes what was found while files were read. */
export const FILE_FINDINGS = [
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
export const FILE_REPAIRS = [
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

/** The reasons why a file is refused. */
export const FILE_REFUSALS = [
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
  sentence('The name of the file must end in {0}.'),
  sentence('The file took longer than {0} s to read and was given up.'),
  sentence('The import was cancelled.'),
  sentence('A column has a name of more than {0} characters: {1}…'),
  sentence('The file unpacks to {0} rows of {1} columns, which is more than is taken here.'),
];

/** The reasons why the file behind a link is refused. */
export const LINK_REFUSALS = [
  sentence('The file behind {0} is larger than {1}.'),
  sentence('The file behind {0} is empty.'),
  sentence('The download was cancelled.'),
  sentence('{0} was not read within {1} minutes.'),
  sentence('{0} leads to a private network or to this server. Only hosts in service.links.privateHosts may do so.'),
  sentence('{0} could not be read: {1}'),
  sentence('Links are not allowed on this server. An administrator names their hosts in service.links.allow.'),
  sentence('Write a link that begins with https://.'),
  sentence('Write the link without a user name and a password.'),
  sentence('{0} is not allowed. An administrator names hosts in service.links.allow.'),
  sentence('{0} redirects to {1}, which is not allowed. An administrator names hosts in service.links.allow.'),
  sentence('There is no host {0}. Check the link.'),
  sentence('{0} redirects more than {1} times.'),
  sentence('{0} leads to a web page, not to a file. Use the link of the download; it must work without signing in.'),
  sentence('The file behind {0} is compressed ({1}).'),
  sentence('{0} leads to no .csv, .xlsx, .parquet or .json file.'),
  sentence('{0} leads to no .csv, .xlsx, .parquet or .json file but to {1}.'),
];

/** Why a link could not be read; values of a sentence above. */
export const LINK_CAUSES = [
  sentence('nothing answers there.'),
  sentence('the connection broke off.'),
  sentence('there is no such host.'),
  sentence('it did not answer in time.'),
  sentence('the host cannot be reached.'),
  sentence('its certificate is not valid.'),
  sentence('the download failed.'),
  sentence('its server asks for a sign-in. Use a link that works without one.'),
  sentence('there is no such file. Check the link.'),
  sentence('its server is busy or broken. Try again later.'),
  sentence('this is no file. Check the link.'),
];
