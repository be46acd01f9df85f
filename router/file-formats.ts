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

/** The sizes of paper of a PDF. */
export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];
