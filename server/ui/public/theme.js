/**
 * Settles the theme before the first paint, so that a dark page never flashes white: therefore a classic script in the
 * head, outside the bundle. `frame/theme.ts` switches later; the key and the two marks are the same there.
 * The class is the one Swagger UI's style sheet looks for.
 */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('service.theme');
  } catch {
    // Storage may be forbidden: then the system's preference holds.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.classList.toggle('dark-mode', dark);
})();
