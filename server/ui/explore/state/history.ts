/** The states of a request that can be returned to. */
const MAX_STEPS = 200;

export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
}

export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [] };
}

/** Returns the history with another present. What was undone is gone. */
export function advance<State>(history: History<State>, present: State): History<State> {
  if (present === history.present) return history;
  return { past: [...history.past, history.present].slice(-MAX_STEPS), present, future: [] };
}

/** Returns the history one step back; unchanged at its beginning. */
export function undo<State>(history: History<State>): History<State> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] };
}

/** Returns the history with the last undone step done again. */
export function redo<State>(history: History<State>): History<State> {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future };
}
