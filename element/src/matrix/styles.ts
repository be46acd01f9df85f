export const styles = `
  .matrix thead th { top: 0; height: var(--row); }
  .matrix thead tr:nth-child(2) th { top: var(--row); }
  .matrix thead th.group { text-align: center; border-inline-start: 1px solid var(--line); }
  .matrix thead th.first, .matrix td.first { border-inline-start: 1px solid var(--line); }
  .matrix tbody th {
    position: sticky; inset-inline-start: 0; z-index: 1; top: auto; background: var(--bg); color: var(--fg);
    border-bottom: 1px solid var(--grid); border-inline-end: 1px solid var(--line); font-size: 1em; font-weight: 400;
    padding-inline-start: calc(var(--pad) + 4px + var(--depth) * 20px);
  }
  .matrix thead th:first-child { z-index: 2; inset-inline-start: 0; border-inline-end: 1px solid var(--line); }
  .matrix tbody tr.branch th { font-weight: 600; }
  .matrix tbody tr:hover th { background: var(--hover); }
  .branch button {
    all: unset; box-sizing: border-box; display: inline-flex; align-items: center; gap: 6px; min-height: 24px; cursor: pointer;
  }
  .branch button:focus-visible { outline: 2px solid var(--fg); }
  .branch button::before {
    content: ''; width: 6px; height: 6px; margin-inline: 2px; border: solid var(--muted); border-width: 0 1.5px 1.5px 0;
    rotate: -45deg; transition: rotate var(--motion);
  }
  .branch button:dir(rtl)::before { rotate: 135deg; }
  .branch button[aria-expanded=true]::before { rotate: 45deg; }
  .branch .count { color: var(--muted); font-weight: 400; }
`;
