import type { Answer } from '../api/parse-answer.ts';
import type { Panel } from '../state/panel.ts';
import type { OthersRequest } from './frame.ts';

type State = Answer | 'loading' | 'failed';

const states = new WeakMap<Answer['rows'], Map<string, State>>();

/** Returns the rest of a panel's series. The first call reads it, and calls `changed` when it has arrived or failed. */
export function readOthers(panel: Panel, answer: Answer, request: OthersRequest, changed: () => void): State {
  const byRequest = states.get(answer.rows) ?? new Map<string, State>();
  states.set(answer.rows, byRequest);
  const key = JSON.stringify(request);
  const known = byRequest.get(key);
  if (known !== undefined) return known;
  byRequest.set(key, 'loading');
  const settle = (state: State) => {
    byRequest.set(key, state);
    changed();
  };
  panel.read(AbortSignal.timeout(60_000), key).then(settle, () => settle('failed'));
  return 'loading';
}
