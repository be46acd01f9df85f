/** Share of a table's box that frozen columns may cover, so that the others can be read on a phone. */
const MOST_COVERED = 0.6;

/**
 * Places the frozen columns of all tables of `root` one behind the other. A browser knows their widths only after the
 * layout. Columns that would cover too much of the box scroll with the others.
 */
export function placeFrozenColumns(root: ShadowRoot): void {
  for (const table of root.querySelectorAll<HTMLTableElement>('table[data-frozen]')) {
    const box = table.parentElement;
    const headers = [...table.querySelectorAll<HTMLElement>('thead tr:last-child > th')];
    let width = 0;
    let fitting = 0;
    for (const header of headers.slice(0, Number(table.dataset.frozen))) {
      table.style.setProperty(`--frozen-${fitting + 1}`, `${width}px`);
      width += header.offsetWidth;
      if (box && width > box.clientWidth * MOST_COVERED) break;
      fitting += 1;
    }
    table.toggleAttribute('data-frozen-1', fitting > 0);
    table.toggleAttribute('data-frozen-2', fitting > 1);
    table.toggleAttribute('data-frozen-3', fitting > 2);
  }
}
