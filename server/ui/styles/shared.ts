import { css } from 'lit';

/**
 * Styles that every component of these pages starts with: reset, type scale, buttons, focus. `page.css` contains the
 * tokens.
 */
export const shared = css`
  *, *::before, *::after { box-sizing: border-box; }
  :host { display: block; min-width: 0; }
  :host([hidden]), [hidden] { display: none !important; }
  h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  h2 { font-size: 20px; line-height: 28px; letter-spacing: -0.01em; font-weight: 600; text-wrap: balance; }
  h3 { font-size: 16px; line-height: 1.35; font-weight: 600; }
  a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
  a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
  code { font-family: var(--code); font-size: 0.92em; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
  .muted { color: var(--muted); }
  .visually-hidden {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap;
  }

  .section-head { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 8px 24px; margin-bottom: 12px; }
  .section-head p { margin-top: 6px; max-width: 64ch; color: var(--muted); }

  .button {
    display: inline-flex; align-items: center; justify-content: center; gap: 7px; min-height: 36px; padding: 0 14px;
    border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink);
    font: 500 14px / 1 var(--body); text-decoration: none; white-space: nowrap; cursor: pointer;
    transition: background-color 120ms, border-color 120ms;
  }
  .button:hover { border-color: var(--muted); background: var(--sunken); color: var(--ink); }
  .button:focus-visible { border-radius: 6px; }
  .button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  .button.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
  .button[aria-disabled='true'] { opacity: 0.65; cursor: progress; }
  .button svg { flex: none; width: 16px; height: 16px; }

  .notice {
    display: grid; justify-items: start; gap: 8px; padding: 24px; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted);
  }
  .notice h3 { color: var(--ink); }
  .notice.failed { border: 1px solid var(--bad); background: var(--bad-wash); color: var(--ink); }
  .bone { border-radius: 8px; background: var(--sunken); animation: breathe 1.6s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: 0.5; } }
  @media (prefers-reduced-motion: reduce) {
    .bone { animation: none; }
    .button { transition: none; }
  }
  @media (forced-colors: active) { .button, .notice { border-color: ButtonText; } }
`;
