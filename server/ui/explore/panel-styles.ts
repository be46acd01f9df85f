import { css } from 'lit';

/** Styles of the small panels that chips open. */
export const panelStyles = css`
  .panel { display: grid; gap: 14px; width: min(340px, calc(100vw - 32px)); padding: 14px 16px; }
  h3 { overflow-wrap: anywhere; font-size: 14px; line-height: 20px; }
  fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
  legend, .line > span { padding: 0; margin-bottom: 6px; color: var(--muted); font-size: 12px; font-weight: 500; }
  .choices { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .choice { position: relative; display: inline-flex; }
  .choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
  .choice span { padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; font-size: 13px; line-height: 18px; }
  .choice input:hover + span { border-color: var(--muted); }
  .choice input:checked + span { border-color: var(--accent); background: var(--accent-wash); color: var(--accent-strong); font-weight: 600; }
  .choice input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
  .line { display: grid; }
  .field, select { width: 100%; min-width: 0; height: 34px; padding: 0 10px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: 14px / 1 var(--body); }
  .field::placeholder { color: var(--muted); opacity: 1; }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 8px; margin-top: 8px; }
  .end { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding-top: 10px; border-top: 1px solid var(--line); }
  .link { min-height: 28px; padding: 0 4px; border: 0; border-radius: 4px; background: none; color: var(--accent); font: inherit; text-decoration: underline; text-underline-offset: 0.18em; cursor: pointer; }
  .end .button { min-height: 32px; }
`;
