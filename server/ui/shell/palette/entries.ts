/** What the search offers. */
import { withBasePath } from '../../api-client/base-path.ts';
import { documentAddress } from '../../documents/document-address.ts';
import { readDocuments } from '../../documents/document-entries.ts';
import { msg } from '../../words/words.ts';
import { session } from '../page-context.ts';
import { pageLinks } from '../page-links.ts';
import { readRecent } from '../recent.ts';
import { signInAddress } from '../return-address.ts';
import { chooseTheme, currentTheme } from '../theme.ts';
import type { Entry } from './entry.ts';

/** Returns the entries that need no server. */
export function ownEntries(): readonly Entry[] {
  const { user } = session;
  const isDark = currentTheme() === 'dark';
  const actions: Entry[] = [
    {
      group: 'actions',
      title: isDark ? msg('Switch to light') : msg('Switch to dark'),
      note: '',
      action: { run: () => chooseTheme(isDark ? 'light' : 'dark') },
    },
    user
      ? { group: 'actions', title: msg('Sign out'), note: '', action: { run: () => void session.signOut() } }
      : { group: 'actions', title: msg('Sign in'), note: '', action: { address: signInAddress() } },
  ];
  return [
    ...readRecent().map(
      ({ title, path }): Entry => ({ group: 'recent', title, note: '', action: { address: withBasePath(path) } }),
    ),
    ...pageLinks(user).map(({ title, address }): Entry => ({ group: 'pages', title, note: '', action: { address } })),
    ...actions,
  ];
}

/** Reads the documents that the user may open. */
export async function documentEntries(signal: AbortSignal): Promise<readonly Entry[]> {
  if (!session.user) return [];
  const documents = await readDocuments(session.client, signal);
  return documents.map(({ title, path }) => ({
    group: 'documents',
    title,
    note: path,
    action: { address: documentAddress(path) },
  }));
}
