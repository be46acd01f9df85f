/** Sentences about the data of models: replacing, refreshing, removing: `plugins/data/`, `plugins/datasources/`. */
import { sentence } from './sentence.ts';

export const DATA_SENTENCES = [
  sentence('There is no such replacement: its time is over, or it was made already. Bring the files again.'),
  sentence('This can no longer be undone: its time is over, or it was undone already.'),
  sentence('{0} replacements wait for their confirmation already. Confirm or discard one first.'),
  sentence('There is no datasource {0}.'),
  sentence('There is no such datasource.'),
  sentence('There is no such upload.'),
  sentence('{0} reads this data. Remove it first.'),
  sentence('A removed datasource can still be put back, which needs this data. Wait until then.'),
  sentence('The name of a file has no folder.'),
  sentence('Write a time of day as HH:MM, such as 06:30.'),
  sentence('Write a time zone by its IANA name, such as Europe/Berlin.'),
  // Replacing
  sentence('The data has been replaced since the comparison. Bring the files again.'),
  sentence('The new data is gone. Bring the files again.'),
  sentence('The data is being replaced already.'),
  sentence('The data was replaced again since. Undo the later replacement first.'),
  sentence('This is being undone already.'),
  sentence('The new data does not fit: {0}'),
  sentence(
    'The data of {0} are in a database that is not made of files here. Change them there; the model reads them at the next question.',
  ),
  sentence('No file has the table {0}, which {1} needs. Bring its file, too.'),
  sentence(
    'The table {0} has no column {1}, which {2} needs. The files have a new column {3}: if it is the same, call it {4}. Otherwise remove what uses it on the page of the model first.',
  ),
  sentence(
    'The table {0} has no column {1}, which {2} needs. Otherwise remove what uses it on the page of the model first.',
  ),
  sentence('The column {0} of {1} was {2} and is text now. Write its values as before, or choose how it is read.'),
  // Refreshing
  sentence('The data of {0} was not imported from links.'),
  sentence('The folder must be below the data folder of the server.'),
  sentence('The folder {0} is not below the data folder.'),
  sentence('The folder {0} does not exist.'),
  sentence('The folder {0} has no .csv, .parquet, .json or .xlsx file.'),
  sentence('The files have more than {0}.'),
  sentence('The tables have more than {0}.'),
  sentence('The links of the import are not known any more.'),
  sentence('The connection has no table {0}, which the model needs.'),
  sentence('The connection has no table {0}, which the model needs. It has: {1}.'),
  sentence('The data is as it was before.'),
  sentence('There is no such scheduled refresh.'),
  sentence('There are {0} scheduled refreshes already. Remove one first.'),
  sentence('No run of the refresh of {0} has read files yet, or the last one could not.'),
  sentence('{0}: as at the last time.'),
  // Removing
  sentence('It was changed since it was made.'),
  sentence('It was not made here.'),
  sentence('It is not a part of this server.'),
  sentence('{0} reads it, too.'),
  sentence('The database'),
  sentence('The uploaded data'),
  sentence('The uploaded data, unless a saved connection has it'),
  sentence('1 scheduled refresh'),
  sentence('{0} scheduled refreshes'),
  sentence('1 embed token of these documents'),
  sentence('{0} embed tokens of these documents'),
  sentence('1 public grant of these documents'),
  sentence('{0} public grants of these documents'),
  sentence('There is a datasource {0} again. Remove it first.'),
  sentence('There is a document {0} again. Move it first.'),
  // Loading
  sentence('It could not be loaded within {0} seconds; it is tried again.'),
  sentence('Something went wrong on our side while it was loaded; it has been logged.'),
  sentence('Something went wrong on our side while it was read; it has been logged.'),
  sentence('Something went wrong on our side; it has been logged.'),
  sentence('The connection {0} is still being loaded. Ask again in a moment.'),
  sentence('The warehouse of the connection {0} does not answer.'),
];

/** Sentences of the pages' own calls: `server/ui/api-client/`. */
export const CALL_SENTENCES = [
  sentence('The server cannot be reached. Check that it is running, then try again.'),
  sentence('The server answered with something that is not JSON.'),
  sentence('The server answered with status {0}.'),
  sentence('Something went wrong.'),
];
