import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

const docs = fileURLToPath(new URL('../../', import.meta.url));
/** Folders of files that pages link to, such as a Dockerfile. */
const FILES = ['examples', 'operate', 'compose'] as const;
const FILE_LINK = new RegExp(`^\\.\\./(${FILES.join('|')})/`);
const DESCRIPTION = 'Build charts from your database and put them into any web page.';

/** Reads the groups of the sidebar from the list of tasks in `docs/README.md`, so that there is one list. */
function readSidebar(): DefaultTheme.SidebarItem[] {
  const groups: { text: string; items: DefaultTheme.SidebarItem[] }[] = [];
  for (const line of readFileSync(`${docs}README.md`, 'utf8').split('\n')) {
    const group = /^(?:## |\*\*)([^*…]+)(?:\*\*)?$/.exec(line)?.[1];
    if (group !== undefined) groups.push({ text: group.charAt(0).toUpperCase() + group.slice(1), items: [] });
    const [, text, path] = /^\|.*\[([^\]]+)\]\(([\w/-]+)\.md\)/.exec(line) ?? [];
    if (text !== undefined && path !== undefined)
      groups.at(-1)?.items.push({ text, link: `/${path.replace(/README$/, '')}` });
  }
  return groups;
}

export default defineConfig({
  title: 'service',
  description: DESCRIPTION,
  lang: 'en',
  // Browsers otherwise ask for an icon that the site does not have.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: docs,
  srcExclude: ['site/**'],
  outDir: fileURLToPath(new URL('../dist', import.meta.url)),
  rewrites: { 'README.md': 'index.md', 'gallery/README.md': 'gallery/index.md' },
  ignoreDeadLinks: [FILE_LINK, /^http:\/\/localhost/],
  markdown: {
    config(md) {
      const highlight = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, options, environment, renderer) => {
        const token = tokens[index];
        if (token?.info.trim() === 'mermaid') return `<MermaidDiagram source="${encodeURIComponent(token.content)}" />`;
        return highlight?.(tokens, index, options, environment, renderer) ?? '';
      };
      const linkToPage = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, index, options, environment, renderer) => {
        const token = tokens[index];
        const address = String(token?.attrGet('href'));
        if (FILE_LINK.test(address)) {
          // The site's router shows pages only.
          token?.attrSet('target', '_self');
          return renderer.renderToken(tokens, index, options);
        }
        token?.attrSet('href', address.replace(/(^|\/)README\.md/, '$1'));
        return linkToPage?.(tokens, index, options, environment, renderer) ?? '';
      };
    },
  },
  lastUpdated: false,
  themeConfig: {
    nav: [
      { text: 'First ten minutes', link: '/start/first-ten-minutes' },
      { text: 'Tasks', link: '/' },
      { text: 'Settings', link: '/reference/settings' },
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  buildEnd({ outDir }) {
    for (const folder of FILES) cpSync(`${docs}${folder}`, `${outDir}/${folder}`, { recursive: true });
  },
});
