import type { WorkbookTask } from '../../router/capabilities/answer-files.ts';
import { toCsv } from './csv.ts';
import { readableSheets } from './period-words.ts';

/** Writes a task in the calling thread. The library of workbooks is loaded for the first one. */
export async function writeWorkbook(task: WorkbookTask): Promise<Uint8Array> {
  const sheets = readableSheets(task);
  if (task.kind === 'csv') {
    const [sheet] = sheets;
    return new TextEncoder().encode(sheet === undefined || 'missing' in sheet ? '' : toCsv(sheet, task.locale));
  }
  const { toXlsx } = await import('./xlsx.ts');
  return toXlsx({ ...task, sheets });
}
