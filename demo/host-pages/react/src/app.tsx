import { useEffect, useState } from 'react';
import { preferredTheme, showTheme, type Theme } from '../../desk/theme.ts';
import { Notes } from './notes.tsx';
import { Overview } from './overview.tsx';

const PAGES = { overview: 'Overview', notes: 'Notes' } as const;
type Page = keyof typeof PAGES;

export function App() {
  const [theme, setTheme] = useState<Theme>(preferredTheme);
  const [page, setPage] = useState<Page>('overview');
  useEffect(() => showTheme(theme), [theme]);
  return (
    <>
      <div className="bar">
        <span className="brand">
          <img src="./mark.svg" alt="" width="28" height="28" />
          Marlow &amp; Finch
        </span>
        <nav aria-label="Pages">
          {pages.map(([each, title]) => (
            <button
              key={each}
              type="button"
              aria-current={each === page ? 'page' : undefined}
              onClick={() => setPage(each)}
            >
              {title}
            </button>
          ))}
        </nav>
        <button className="quiet" type="button" onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
          {theme === 'dark' ? 'Light' : 'Dark'} theme
        </button>
      </div>
      <main>{page === 'overview' ? <Overview theme={theme} /> : <Notes />}</main>
    </>
  );
}

const pages: readonly (readonly [Page, string])[] = [
  ['overview', PAGES.overview],
  ['notes', PAGES.notes],
];
