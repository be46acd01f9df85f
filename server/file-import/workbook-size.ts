/** Measures a workbook without keeping its data, because the directory of an archive may be wrong. */
import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { SheetExtent } from './sheet-extent.ts';

export interface WorkbookSize {
  /** The decompressed bytes, or the first number beyond the limit. */
  readonly bytes: number;
  /** The last cell of a sheet that has cells far from its table. */
  readonly farCell: string | undefined;
}

const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

/**
 * Measures the decompressed bytes of a workbook up to `limit`, and the grids of its sheets.
 *
 * @throws Error where the archive is broken
 */
export async function measureWorkbook(path: string, limit: number): Promise<WorkbookSize> {
  let bytes = 0;
  let failure: Error | undefined;
  const extents: SheetExtent[] = [];
  const unzip = new Unzip((entry) => {
    const extent = WORKSHEET.test(entry.name) ? new SheetExtent() : undefined;
    if (extent !== undefined) extents.push(extent);
    entry.ondata = (error, data) => {
      if (error) failure = error;
      else {
        bytes += data.length;
        if (bytes <= limit) extent?.add(data);
      }
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of createReadStream(path, { highWaterMark: 65_536 })) {
    unzip.push(chunk as Buffer);
    if (failure !== undefined) throw failure;
    if (bytes > limit) return { bytes, farCell: undefined };
  }
  unzip.push(new Uint8Array(), true);
  if (failure !== undefined) throw failure;
  return { bytes, farCell: extents.map(({ farCell }) => farCell).find((each) => each !== undefined) };
}
