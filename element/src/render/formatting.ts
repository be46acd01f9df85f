import type { Answer } from '../api/parse-answer.ts';
import type { Panel } from '../state/panel.ts';
import type { AnswerViewOptions, FormattingPart, Host } from '../types.ts';

/** Returns the part that formats tables and numbers, once it is loaded; undefined where no setting needs it. */
export function formattingPart(
  panel: Panel,
  { chart: ofQuery }: Answer,
  { chart }: Pick<AnswerViewOptions, 'chart'>,
  host: Host,
): FormattingPart | undefined {
  if (!/(table|target|targetColumn|change)\\*":/.test(JSON.stringify([ofQuery, chart]))) return undefined;
  const part = host.part('formatting');
  if (part === 'loading') panel.view = undefined;
  return typeof part === 'object' ? part : undefined;
}
