/** The tile of a saved query. */
import { isObject } from '../../api-client/json.ts';
import { readDocument } from '../../documents/repository.ts';
import { session } from '../../shell/page-context.ts';
import { answerReader } from '../answers.ts';
import { bestForm, chosenForm } from '../best-form.ts';
import type { Tile } from './layout.ts';
import { toQuestion } from './questions.ts';

/** Returns the members of a tile that shows a saved query in its chosen form, or in the one that is read best. */
export async function savedQueryTile(path: string, title: string): Promise<Partial<Tile> & { readonly kind: string }> {
  const { document } = await readDocument(session.client, path);
  const answer = await answerReader(session.client, toQuestion(document))(new AbortController().signal);
  const { render, mode } = chosenForm(document.view) ?? bestForm(answer);
  const kind = render === 'matrix' ? 'table' : render;
  const measure = kind === 'kpi' ? firstMetric(answer) : undefined;
  return {
    kind,
    title,
    query: { path },
    ...(kind === 'chart' && mode !== undefined ? { chartType: mode } : {}),
    ...(measure === undefined ? {} : { measure }),
  };
}

function firstMetric(answer: unknown): string | undefined {
  const columns: readonly unknown[] = isObject(answer) && Array.isArray(answer.columns) ? answer.columns : [];
  const metric = columns.filter(isObject).find(({ type }) => type === 'metric');
  return typeof metric?.key === 'string' ? metric.key : undefined;
}
