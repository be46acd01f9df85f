/**
 * The theme of the page. `public/theme.js` applies it before the first paint, with the same key and the same two marks.
 */
export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'service.theme';
const systemTheme = matchMedia('(prefers-color-scheme: dark)');

export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/** Applies `theme` and remembers it for the next visit. */
export function chooseTheme(theme: Theme): void {
  try {
    // The system's own theme is not a choice: the page continues to follow the system.
    if (theme === systemPreference()) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts until the page closes.
  }
  applyTheme(theme);
}

/**
 * Calls `changed` after each change of the theme, in this page, in the system or in another tab. Returns a function
 * that stops it.
 */
export function watchTheme(changed: (theme: Theme) => void): () => void {
  const follow = (): void => applyTheme(storedTheme() ?? systemPreference());
  const stored = (event: StorageEvent): void => {
    if (event.key === STORAGE_KEY || event.key === null) follow();
  };
  const marks = new MutationObserver(() => changed(currentTheme()));
  systemTheme.addEventListener('change', follow);
  addEventListener('storage', stored);
  marks.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    systemTheme.removeEventListener('change', follow);
    removeEventListener('storage', stored);
    marks.disconnect();
  };
}

function systemPreference(): Theme {
  return systemTheme.matches ? 'dark' : 'light';
}

function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}

function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
}
