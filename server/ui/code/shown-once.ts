import { css, html, nothing } from 'lit';
import { msg } from '../words/words.ts';
import './copy-button.ts';

/** Styles of `shownOnce`. */
export const shownOnceStyles = css`
  .made { display: grid; gap: 12px; margin-bottom: 24px; padding: 16px; border: 1px solid var(--good); border-radius: 10px; background: var(--good-wash); }
  .made h2:focus { outline: none; }
  .once { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 12px; padding: 6px 6px 6px 12px; border-radius: 8px; background: var(--paper); }
  .once code { word-break: break-all; user-select: all; }
  .made .button { justify-self: start; }
`;

export interface ShownOnce {
  readonly heading: string;
  readonly note: string;
  /** The secret; empty for none. */
  readonly text: string;
  readonly copyCaption: string;
  /** Further content below the secret, such as a snippet. */
  readonly more?: unknown;
  readonly hide: () => void;
}

/** Shows a secret that was just made and is not shown again. Its heading can be focused. */
export function shownOnce({ heading, note, text, copyCaption, more = nothing, hide }: ShownOnce) {
  if (text === '') return nothing;
  return html`<section class="made" aria-labelledby="made">
    <h2 id="made" tabindex="-1">${heading}</h2>
    <p>${note}</p>
    <div class="once"><code>${text}</code><ui-copy caption=${copyCaption} .text=${text}></ui-copy></div>
    ${more}
    <button class="button" type="button" @click=${hide}>${msg('I have copied it')}</button>
  </section>`;
}
