/**
 * Applies the theme before the first paint, so that a dark page never flashes white. It must be a classic script in the
 * head, outside the bundle. `shell/theme.ts` switches the theme later, with the same key and the same two marks.
 * Swagger UI's style sheet reads the class.
 */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('service.theme');
  } catch {
    // Storage may be forbidden: the page then follows the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.classList.toggle('dark-mode', dark);
})();
