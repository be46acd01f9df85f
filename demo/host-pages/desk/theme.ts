export type Theme = 'light' | 'dark';

/** Returns what the visitor's system prefers. */
export function preferredTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Sets the theme of the page; the elements on it have their attribute. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
