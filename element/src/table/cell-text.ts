import { html, nothing, type TemplateResult } from 'lit';
import type { Cell } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { MAX_CELL_CHARACTERS } from '../limits.ts';

/** Renders words for screen readers beside a hidden value. */
export function hiddenNote(
  cell: Cell | undefined,
  formats: Formats,
  words = 'hidden',
): TemplateResult | typeof nothing {
  return cell?.suppressed ? html`<span class="visually-hidden"> (${formats.say(words)})</span>` : nothing;
}

/** Cuts a text that is too long for a cell. */
export function clip(text: string): string {
  return text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
}
