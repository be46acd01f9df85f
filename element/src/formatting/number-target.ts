import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import { writeLikeCells } from '../chart/write-like-cells.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';

/** Renders the target below a number, with the share that is reached; nothing where there is no target. */
export function targetView(
  answer: Answer,
  row: number,
  position: number,
  { target, targetColumn }: ChartSettings,
  formats: Formats,
): TemplateResult | typeof nothing {
  const cells = answer.rows[row];
  const column = answer.columns.findIndex(({ key }) => key === targetColumn);
  const cell = cells?.[column];
  const goal = column >= 0 ? cell?.number : target;
  const value = cells?.[position]?.number;
  if (goal === undefined) return nothing;
  const written = cell?.text ?? writeLikeCells(goal, answer, position, formats);
  // A share of a rate would read as the rate.
  const isShare = value !== undefined && goal > 0 && value >= 0 && !(cells?.[position]?.text ?? '').includes('%');
  const share = isShare ? formats.number(value / goal, { style: 'percent', maximumFractionDigits: 0 }) : undefined;
  const reached = value === undefined || goal <= 0 ? 0 : Math.min(Math.max(value / goal, 0), 1);
  return html`<p class="target" part="target">${share === undefined ? formats.say('Target {0}', written) : html`<b>${share}</b> ${formats.say('of the target {0}', written)}`}</p>${
    goal > 0
      ? html`<div class="progress" part="progress" aria-hidden="true"><i .style=${`width:${Math.round(reached * 1_000) / 10}%`}></i></div>`
      : nothing
  }`;
}
