import { standardErrorFormat } from '../../router/error-format.ts';
import { plugin } from '../../router/plugin.ts';
import { type RepositoryOptions, repositoryOperations } from './operations.ts';

export type { AskBox } from './documents/ask-box.ts';
export { Dashboard, Layout, Tile } from './documents/dashboard.ts';
export { DocumentKind, EXTENSION, kindOf } from './documents/kinds.ts';
export { parseAskBox, parseDashboard, parseSavedQuery } from './documents/parse.ts';
export { SavedQuery } from './documents/saved-query.ts';
export type { RepositoryOptions } from './operations.ts';

/**
 * Makes the plugin of saved queries, dashboards and ask boxes: listing, reading, writing and removing the documents
 * of the repository.
 */
export function repository(options: RepositoryOptions) {
  return plugin({
    name: 'repository',
    title: 'Saved queries, dashboards and ask boxes',
    router: repositoryOperations(options),
    errorFormat: standardErrorFormat,
  });
}
