export type Theme = 'light' | 'dark';

/** Returns the theme that the visitor's system prefers. */
export function preferredTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Sets the theme of the page. Each element has its own attribute. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
