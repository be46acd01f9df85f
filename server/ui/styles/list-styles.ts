import { css } from 'lit';

/** Styles of pages that list things in rows, used after `shared` and `formStyles`. */
export const listStyles = css`
  :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 64px; font: 14px / 20px var(--body); }
  .sections { display: grid; gap: 32px; }
  .tools { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; margin-bottom: 16px; }
  .tools .input { width: auto; height: 36px; font-size: 14px; }
  .tools .search { flex: 0 1 360px; }
  .rows { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
  .row {
    display: grid; grid-template-columns: var(--columns, minmax(0, 2fr) minmax(0, 4fr) auto); align-items: center; gap: 2px 16px; min-height: 52px;
    padding: 8px 8px 8px 16px; border-top: 1px solid var(--line);
  }
  .row:first-child { border-top: 0; }
  .name { font-weight: 600; overflow-wrap: anywhere; }
  .about { min-width: 0; color: var(--muted); overflow-wrap: anywhere; }
  .about code { color: var(--ink); }
  .end { display: flex; align-items: center; justify-content: end; gap: 8px; }
  .tag {
    display: inline-block; margin: 2px 4px 2px 0; padding: 0 8px; border-radius: 999px; background: var(--sunken); color: var(--ink); font-size: 12px; line-height: 20px;
    font-weight: 500; overflow-wrap: anywhere;
  }
  .tag.good { background: var(--good-wash); color: var(--good); }
  .tag.warn { background: var(--warn-wash); color: var(--warn); }
  .tag.bad { background: var(--bad-wash); color: var(--bad); }
  .tag.accent { background: var(--accent-wash); color: var(--accent-strong); }
  .small { min-height: 32px; font-size: 13px; }
  .none { padding: 16px; color: var(--muted); }
  .bone { height: 220px; }
  .empty { display: grid; justify-items: center; gap: 12px; padding: 48px 24px; border: 1px dashed var(--line); border-radius: 10px; text-align: center; color: var(--muted); }
  .empty h2 { color: var(--ink); }
  .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: 8px 12px; text-align: start; vertical-align: top; }
  thead th { border-bottom: 1px solid var(--line); color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 600; white-space: nowrap; }
  tbody tr + tr > * { border-top: 1px solid var(--line); }
  tbody th { font-weight: 600; }
  .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .when { white-space: nowrap; font-variant-numeric: tabular-nums; }
  @media (max-width: 700px) {
    .row { grid-template-columns: minmax(0, 1fr) auto; }
    .row > * { grid-column: 1; }
    .row > .end { grid-column: 2; grid-row: 1 / span 3; align-self: start; }
    .tools .search { flex: 1 1 100%; }
  }
`;
