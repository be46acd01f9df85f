export { FileLocale, isAccepted } from './file-locale.ts';
export { fileName } from './file-name.ts';
export { conditionsInWords, stepsInWords } from './filter-words.ts';
export { headingIn } from './period-words.ts';
export { streamedRows } from './row-streams.ts';
export { type FileSort, sortRecords } from './sort-records.ts';
export { writeWorkbook } from './workbook.ts';
