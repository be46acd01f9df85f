/** Up to this many rows a table is painted whole. */
export const WINDOWED_OVER = 200;
/** CSS pixels; `styles.ts` gives the rows of a windowed table this height. */
export const ROW_HEIGHT = 36;

/** Rows above and below those in sight, so that a quick scroll shows no gap. */
const MARGIN = 12;
/** The window moves in steps of this many rows, so that not every scrolled pixel renders. */
const STEP = 6;
/** Rows taken to be in sight at least: the box is measured when it scrolls, and may be taller before or afterwards. */
const LEAST_IN_SIGHT = 40;

/** Which rows of a long table are in sight. A listener of the scroll events of its box. */
export class RowWindow {
  readonly #changed: () => void;
  #firstInSight = 0;
  #inSight = LEAST_IN_SIGHT;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The rows to render: `first` up to, but without, `last`. */
  range(total: number): { readonly first: number; readonly last: number } {
    const last = Math.min(total, this.#firstInSight + this.#inSight + MARGIN);
    return { first: Math.max(0, Math.min(this.#firstInSight, total) - MARGIN), last };
  }

  handleEvent(event: Event): void {
    const box = event.currentTarget;
    if (!(box instanceof HTMLElement)) return;
    const first = Math.floor(box.scrollTop / ROW_HEIGHT / STEP) * STEP;
    const inSight = Math.max(LEAST_IN_SIGHT, Math.ceil(box.clientHeight / ROW_HEIGHT) + STEP);
    if (first === this.#firstInSight && inSight === this.#inSight) return;
    this.#firstInSight = first;
    this.#inSight = inSight;
    this.#changed();
  }
}
