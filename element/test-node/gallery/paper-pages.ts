/** The first pages of documents on paper, as pictures. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePaper } from '../../paper/paper.ts';
import * as data from './data.ts';

/** Why no picture of a page can be taken here; undefined where it can. */
export const NO_PAPER =
  spawnSync('pdftoppm', ['-v']).status === 0 ? undefined : 'pdftoppm is not here: install poppler-utils.';

export interface PaperPage {
  readonly name: string;
  /** Caption of the picture. */
  readonly shows: string;
  /** The task of the server; see `PaperTask`. */
  readonly task: object;
}

const board = (more: object) => ({
  layout: data.board,
  tiles: data.tiles,
  filters: ['Region = North, South'],
  timeZone: 'UTC',
  ...more,
});

export const PAPER_PAGES: readonly PaperPage[] = [
  {
    name: 'pdf-a4',
    shows: 'A dashboard as PDF, on A4, in German',
    task: board({ paper: 'a4', locale: 'de' }),
  },
  {
    name: 'pdf-letter',
    shows: 'The same on Letter; tiles that could not be read say so',
    task: board({ paper: 'letter', locale: 'en-US', tiles: { ...data.tiles, months: undefined, orders: undefined } }),
  },
];

/** Pixels per inch. */
const RESOLUTION = 96;

/** Takes the first page as PNG. */
export async function takePaper({ task }: PaperPage): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'service-paper-'));
  try {
    const file = join(folder, 'page.pdf');
    const written = await writePaper(JSON.parse(JSON.stringify(task)));
    if (!(written instanceof Uint8Array)) throw new Error('The page needs the rests of its series.');
    writeFileSync(file, written);
    const args = ['-png', '-r', String(RESOLUTION), '-f', '1', '-l', '1', '-singlefile', file, join(folder, 'page')];
    const { status, stderr } = spawnSync('pdftoppm', args, { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(join(folder, 'page.png'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
