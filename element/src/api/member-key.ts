import type { Cell } from './parse-answer.ts';

/** Returns the key of a cell's member in maps. The key of a missing member differs from the key of every text. */
export function memberKey(cell: Cell | undefined): string {
  return cell?.text === undefined ? '' : `=${cell.exact ?? cell.text}`;
}
