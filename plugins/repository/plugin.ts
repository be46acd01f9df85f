import type { Clock } from '../../router/capabilities/clock.ts';
import type { State } from '../../router/capabilities/state.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { plugin } from '../../router/plugin.ts';
import { type RepositoryOptions, repositoryOperations } from './operations.ts';
import { DocumentVersions, repositoryMigrations } from './versions.ts';

type Options = Omit<RepositoryOptions, 'versions'> & {
  /** Keeps the versions of documents. */
  readonly state: State;
  readonly clock: Clock;
};

/**
 * Makes the plugin of saved queries, dashboards and ask boxes: listing, reading, writing and removing the documents
 * of the repository.
 */
export function repository({ state, clock, ...options }: Options) {
  return plugin({
    name: 'repository',
    title: 'Saved queries, dashboards and ask boxes',
    migrations: repositoryMigrations,
    router: repositoryOperations({ ...options, versions: new DocumentVersions(state, clock) }),
    errorFormat: standardErrorFormat,
  });
}
