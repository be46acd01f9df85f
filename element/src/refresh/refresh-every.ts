/**
 * Calls `refresh` every `seconds` while the page is visible. A page that becomes visible again refreshes at once where
 * a refresh was due. Returns a function that stops it.
 */
export function refreshEvery(seconds: number, refresh: () => Promise<void> | undefined): () => void {
  let due = Date.now() + seconds * 1_000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const wait = (): void => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(run, Math.max(0, due - Date.now()));
  };
  const run = (): void => {
    due = Date.now() + seconds * 1_000;
    // The interval runs from one answer to the next request, so that a slow server never has two requests at a time.
    void Promise.resolve(refresh()).then(() => {
      if (!stopped) wait();
    });
  };
  document.addEventListener('visibilitychange', wait);
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wait);
  };
}
