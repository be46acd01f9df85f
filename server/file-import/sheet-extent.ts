/** Measures the grid of a worksheet by its cells, before a reader makes an array of it. Pure. */

/** Cells of a grid that is read whatever the number of its filled ones. */
const MAX_SPARSE_CELLS = 5_000_000;
/** Cells of a grid for each that the file has; a sheet with more has cells far from its table. */
const MAX_CELLS_FOR_EACH = 50;
/** Characters of a cell's address in XML, `r="XFD1048576"`, of which a part may be at the end of a piece. */
const ADDRESS_LENGTH = 16;
const ADDRESS = / r="([A-Z]{1,3})([1-9][0-9]{0,6})"/g;

/** The cells of one worksheet, whose XML comes in pieces. */
export class SheetExtent {
  #rest = '';
  #cells = 0;
  #rows = 0;
  #columns = 0;
  #lastColumn = '';
  #last = '';

  add(piece: Uint8Array): void {
    // Addresses are ASCII; other characters may be cut anywhere.
    const text = this.#rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    let end = 0;
    for (const { 0: whole, 1: column = '', 2: row = '', index } of text.matchAll(ADDRESS)) {
      end = index + whole.length;
      this.#cells++;
      this.#note(column, Number(row));
    }
    this.#rest = text.slice(Math.max(end, text.length - ADDRESS_LENGTH));
  }

  /** Returns the address of the last cell where the grid is far larger than its cells; `undefined` for a table. */
  get farCell(): string | undefined {
    const area = this.#rows * this.#columns;
    return area > MAX_SPARSE_CELLS && area > MAX_CELLS_FOR_EACH * this.#cells ? this.#last : undefined;
  }

  #note(column: string, row: number): void {
    if (column !== this.#lastColumn) {
      this.#lastColumn = column;
      let number = 0;
      for (const letter of column) number = number * 26 + letter.charCodeAt(0) - 64;
      if (number > this.#columns) {
        this.#columns = number;
        this.#last = `${column}${row}`;
      }
    }
    if (row > this.#rows) {
      this.#rows = row;
      this.#last = `${column}${row}`;
    }
  }
}
