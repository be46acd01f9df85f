/** The formats of files with answers. Types, schemas, commands and the element's menu are derived from this table. */
export const FILE_FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', title: 'CSV' },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    title: 'Excel workbook',
  },
  pdf: { contentType: 'application/pdf', title: 'PDF' },
} as const;

export type FileFormat = keyof typeof FILE_FORMATS;

/** The formats in which the rows of an answer are sent while they come from the warehouse. */
export const ROW_FORMATS = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    ending: 'ndjson',
    description: 'one JSON object a line',
  },
  csv: { contentType: FILE_FORMATS.csv.contentType, ending: 'csv', description: 'RFC 4180' },
  arrow: {
    contentType: 'application/vnd.apache.arrow.stream',
    ending: 'arrows',
    description: 'the streaming format of Apache Arrow',
  },
} as const;

export type RowFormat = keyof typeof ROW_FORMATS;

/** The sizes of paper of a PDF. */
export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];
