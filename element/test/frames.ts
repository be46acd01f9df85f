/** Waits for frames of the page. */
export async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

const RESTING_FRAMES = 5;

/** Waits until nothing in `root` has changed for a few frames: animations have ended, observers have been called. */
export async function rest(root: Node): Promise<void> {
  let mutations = 0;
  const observer = new MutationObserver((records) => {
    mutations += records.length;
  });
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  let before: number;
  do {
    before = mutations;
    await frames(RESTING_FRAMES);
  } while (mutations !== before);
  observer.disconnect();
}
