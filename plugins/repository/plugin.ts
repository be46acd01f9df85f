import { standardErrorFormat } from '../../router/error-body.ts';
import { plugin } from '../../router/plugin.ts';
import { type RepositoryOptions, repositoryOperations } from './operations.ts';

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
