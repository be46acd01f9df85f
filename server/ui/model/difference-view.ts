/** Shows the changed lines of a document with the lines around them. */

import { css, html, nothing, type TemplateResult } from 'lit';
import { msg } from '../words/words.ts';
import type { DifferenceLine } from './requests.ts';

export const differenceStyles = css`
  .difference { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); font: 13px / 20px var(--code); }
  .difference ol { display: grid; min-width: max-content; padding: 4px 0; }
  .difference li { display: grid; grid-template-columns: 52px 20px auto; white-space: pre; padding-inline-end: 12px; }
  .difference .line { color: var(--muted); text-align: end; padding-inline-end: 8px; user-select: none; }
  .difference .added { background: var(--good-wash); }
  .difference .removed { background: var(--bad-wash); }
  .difference .gap { border-top: 1px dashed var(--line); }
`;

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

export function differenceView(lines: readonly DifferenceLine[]): TemplateResult {
  if (lines.length === 0) return html`<p class="note">${msg('The texts are equal.')}</p>`;
  return html`<div class="difference" tabindex="0" role="region" aria-label=${msg('Changed lines')}><ol>
    ${lines.map(({ kind, text, line }, index) => {
      const before = lines[index - 1];
      const isApart = before !== undefined && kind === 'same' && before.kind === 'same' && line > before.line + 1;
      const said = kind === 'added' ? msg('added') : kind === 'removed' ? msg('removed') : '';
      return html`<li class="${kind} ${isApart ? 'gap' : ''}"><span class="line">${line}</span><span aria-hidden="true">${SIGNS[kind]}</span><span>${said === '' ? nothing : html`<span class="visually-hidden">${said}: </span>`}${text}</span></li>`;
    })}
  </ol></div>`;
}
