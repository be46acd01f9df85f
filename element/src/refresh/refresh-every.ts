/**
 * Calls `refresh` every so many seconds while the page can be seen. A page that comes back into sight is refreshed at
 * once when a refresh fell due meanwhile. Returns how to stop it.
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
    // From one answer to the next request, so that a slow server is never asked twice at a time.
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
