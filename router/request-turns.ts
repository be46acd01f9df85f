/** Node's own function, which a test with a clock of its own does not replace. */
const nextTurn = setImmediate;
const waiting: (() => void)[] = [];
let isTaken = false;

/**
 * Waits for the turn of a request: one request begins in each turn of the event loop. Requests that arrive together are read and compiled in one turn
 * otherwise, which every other caller waits for.
 */
export function requestTurn(): Promise<void> | undefined {
  if (isTaken) return new Promise((resolve) => waiting.push(resolve));
  isTaken = true;
  nextTurn(next);
  return undefined;
}

function next(): void {
  const begin = waiting.shift();
  if (begin === undefined) {
    isTaken = false;
    return;
  }
  nextTurn(next);
  begin();
}
