import { css } from 'lit';

/** Styles of the tabs of the model page, used after `shared` and `formStyles`. */
export const modelStyles = css`
  :host { font-size: 14px; line-height: 20px; }
  h2 { font-size: 20px; line-height: 28px; }
  h3 { font-size: 16px; line-height: 24px; }
  h4 { margin: 0; font-size: 14px; font-weight: 600; }
  .columns { display: grid; grid-template-columns: minmax(200px, 260px) minmax(0, 1fr); gap: 24px; align-items: start; }
  .card { padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); min-width: 0; }
  .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; min-width: 0; }
  .tight { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; min-width: 0; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; min-width: 0; }
  .spread { justify-content: space-between; }
  .note { color: var(--muted); font-size: 13px; line-height: 18px; }
  .grow { flex: 1 1 160px; min-width: 0; }

  .picks { display: grid; gap: 1px; max-height: 70vh; overflow: auto; padding: 2px; }
  .picks a {
    display: flex; align-items: baseline; justify-content: space-between; gap: 8px; min-height: 36px; padding: 8px 12px; border-radius: 6px; color: var(--ink);
    text-decoration: none;
  }
  .picks a:hover { background: var(--sunken); }
  .picks a[aria-current] { background: var(--accent-wash); color: var(--accent-strong); font-weight: 600; }
  .picks .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .picks .fact { flex: none; color: var(--muted); font-size: 12px; font-weight: 400; font-variant-numeric: tabular-nums; }
  .picks a[aria-current] .fact { color: inherit; }

  .form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr)); gap: 12px 16px; align-items: start; }
  .form .wide { grid-column: 1 / -1; }
  .field { font-size: 13px; gap: 4px; }
  .input { height: 36px; font-size: 14px; border-radius: 6px; padding-inline: 10px; }
  input.input:read-only, textarea.input:read-only, .input:disabled { background: var(--sunken); border-color: var(--line); color: var(--ink); opacity: 1; }
  textarea.input { height: auto; min-height: 64px; padding-block: 8px; resize: vertical; }
  .input.code { font-family: var(--code); font-size: 13px; }
  .check { display: flex; align-items: center; gap: 8px; min-height: 36px; font-size: 14px; }
  .check input { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
  .button { min-height: 32px; border-radius: 6px; font-size: 14px; }
  .button.small { min-height: 28px; padding: 0 10px; font-size: 13px; }
  .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent-strong); }
  .button:disabled { opacity: 0.55; cursor: default; }

  .scroll { overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; font-size: 14px; }
  th, td { padding: 8px 12px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
  thead th { color: var(--muted); font-size: 12px; font-weight: 600; white-space: nowrap; }
  tbody tr:last-child > * { border-bottom: 0; }
  th[scope='row'] { font-weight: 500; overflow-wrap: anywhere; }
  td.figure, th.figure { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }

  .problems { display: grid; gap: 8px; }
  .problem { display: flex; gap: 8px; padding: 8px 12px; border-radius: 6px; background: var(--warn-wash); overflow-wrap: anywhere; }
  .problem::before { content: '!'; flex: none; width: 18px; height: 18px; border-radius: 50%; background: var(--warn); color: var(--paper); font: 700 12px / 18px var(--body); text-align: center; }
  .problem.error { background: var(--bad-wash); }
  .problem.error::before { background: var(--bad); }
  .problem p { min-width: 0; }
  .pill { display: inline-block; padding: 1px 8px; border-radius: 999px; background: var(--sunken); color: var(--muted); font-size: 12px; line-height: 18px; white-space: nowrap; }
  .pill.warn { background: var(--warn-wash); color: var(--warn); }
  .pill.bad { background: var(--bad-wash); color: var(--bad); }
  .pill.good { background: var(--good-wash); color: var(--good); }
  .empty { display: grid; justify-items: start; gap: 12px; padding: 24px; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted); }
  .bone { min-height: 120px; border-radius: 10px; }
  dl.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(96px, 1fr)); gap: 12px 16px; }
  dl.facts dt { color: var(--muted); font-size: 12px; line-height: 16px; }
  dl.facts dd { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; font-variant-numeric: tabular-nums; }
  @media (max-width: 760px) {
    .columns { grid-template-columns: minmax(0, 1fr); gap: 16px; }
    .picks { max-height: 220px; }
  }
`;
