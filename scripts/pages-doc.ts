/**
 * Writes `docs/reference/pages.md` from the table of pages.
 *
 *   npx tsx scripts/pages-doc.ts           writes it
 *   npx tsx scripts/pages-doc.ts --check   fails when it is out of date
 */
import { PAGE_LIST } from '../server/ui/pages.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/pages.md';
const USERS = {
  anybody: 'anybody',
  'signed-in': 'signed-in users',
  administrators: 'administrators',
  operators: 'administrators of the tenant `default`',
} as const;

const rows = PAGE_LIST.map(
  ({ path, below, users, purpose }) =>
    `| \`${path}${below === undefined ? '' : '…'}\` | ${purpose} | ${USERS[users]} |`,
);
const text = `# Pages

<!-- Written by \`npx tsx scripts/pages-doc.ts\`; change server/ui/pages.ts instead. -->

The service has these pages, below the path of \`service.http.basePath\`. Everybody may load a page; a page for signed-in
users shows its data after the sign-in, with the rights of the user.

| Address | Purpose | For |
|---|---|---|
${rows.join('\n')}
`;

writeOrCheck(FILE, text, 'npx tsx scripts/pages-doc.ts');
