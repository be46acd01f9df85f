/** The theme of the page. `public/theme.js` settles it before the first paint with the same key and the same two marks. */
export type Theme = 'light' | 'dark';

const KEY = 'service.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/** Shows `theme` and remembers it for the next visit. */
export function chooseTheme(theme: Theme): void {
  try {
    // What the system prefers anyway is not a choice: the page then goes on following the system.
    if (theme === preferred()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  show(theme);
}

/** Calls `changed` whenever the theme changes, here, in the system or in another tab. Returns how to stop. */
export function watchTheme(changed: (theme: Theme) => void): () => void {
  const follow = (): void => show(chosen() ?? preferred());
  const stored = (event: StorageEvent): void => {
    if (event.key === KEY || event.key === null) follow();
  };
  const marks = new MutationObserver(() => changed(currentTheme()));
  system.addEventListener('change', follow);
  addEventListener('storage', stored);
  marks.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', follow);
    removeEventListener('storage', stored);
    marks.disconnect();
  };
}

function preferred(): Theme {
  return system.matches ? 'dark' : 'light';
}

function chosen(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
}
