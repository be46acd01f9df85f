/** LibreOffice, by which tests read written workbooks back as a spreadsheet program does. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const PROGRAMS = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'];
const CONVERT_WITHIN_MS = 180_000;

/** Explains in one line why no LibreOffice is available; `undefined` where one is. */
export function libreOfficeMissing(): string | undefined {
  return PROGRAMS.some((path) => existsSync(path))
    ? undefined
    : 'LibreOffice is not here: install libreoffice-calc-nogui.';
}

/**
 * Returns the workbook `folder/file` (`.xlsx`) as LibreOffice reads it: flat OpenDocument XML, which has each cell's value beside
 * its text.
 *
 * @throws {Error} if LibreOffice does not open it.
 */
export function openInLibreOffice(folder: string, file: string): string {
  const { status, stderr } = spawnSync(
    PROGRAMS.find((path) => existsSync(path)) ?? '',
    [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      join(folder, file),
    ],
    { encoding: 'utf8', timeout: CONVERT_WITHIN_MS },
  );
  if (status !== 0) throw new Error(`LibreOffice ended with ${status ?? 'a time-out'}: ${stderr}`);
  return readFileSync(join(folder, `${basename(file, '.xlsx')}.fods`), 'utf8');
}
