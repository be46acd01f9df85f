export { fileName } from './file-name.ts';
export { conditionsInWords } from './filter-words.ts';
export { writeWorkbook } from './workbook.ts';
