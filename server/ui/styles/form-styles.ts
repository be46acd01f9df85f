import { css } from 'lit';

/** Styles of form fields, used after `shared`. */
export const formStyles = css`
  h3 { font-size: 15px; }
  h3:focus { outline: none; }
  fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
  legend { padding: 0; }
  .field { display: grid; gap: 6px; min-width: 0; font-size: 14px; font-weight: 550; }
  .field .hint, .hint { color: var(--muted); font-size: 13px; font-weight: 400; }
  .input {
    width: 100%; min-width: 0; height: 40px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 8px; background: var(--paper);
    color: var(--ink); font: 15px / 1.4 var(--body);
  }
  .input:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: 8px; }
  .input[aria-invalid='true'] { border-color: var(--bad); }
  .wrong { color: var(--bad); font-size: 13px; font-weight: 500; }
  .wrong:empty { display: none; }
  .button.danger { border-color: var(--bad); background: var(--bad); color: var(--paper); }
  .button.danger:hover { background: var(--ink); border-color: var(--ink); }
  .button.plain { border-color: transparent; background: none; color: var(--accent); padding-inline: 8px; margin-inline: -8px; }
  .button.plain:hover { background: var(--sunken); }
  @media (pointer: coarse) { .input { font-size: 16px; } }
`;
