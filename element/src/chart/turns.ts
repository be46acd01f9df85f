/** Draws an element, and returns whether there was something to draw. */
export type Work = () => boolean;

/** Works that wait for a task of their own, by the element that they draw. */
const waiting = new Map<Element, Work>();
const { port1: turns, port2: next } = new MessageChannel();
/** The element that this task has drawn. */
let taker: Element | undefined;

turns.onmessage = takeNext;

/**
 * Draws one chart a task, so that a page with many charts stays responsive meanwhile. The first one is drawn at once, and
 * a chart alone never waits. A later work for an element replaces its work that still waits.
 */
export function takeTurn(element: Element, work: Work): void {
  waiting.set(element, work);
  if (taker === undefined || (taker === element && waiting.size === 1)) takeNext();
}

function takeNext(): void {
  const [first] = waiting;
  taker = first?.[0];
  if (first === undefined) return;
  const [element, work] = first;
  waiting.delete(element);
  let hasDrawn = true;
  try {
    hasDrawn = work();
  } finally {
    // A work that fails does not stop the others.
    if (hasDrawn) next.postMessage(0);
    else takeNext();
  }
}
