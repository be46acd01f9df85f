/**
 * Makes the datasources of a proposal and their first documents, in a thread of its own where there is a pool: the SQL parser
 * needs memory that only the end of a thread gives back.
 */
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import type { PublishedAs } from './datasource-names.ts';
import { type FirstDocument, firstAnswers } from './first-answers.ts';
import { type PublishedModel, renderModels } from './render-models.ts';

/** A proposal, and where it is published. */
export interface ModelsToMake {
  readonly proposal: CubeProposal;
  readonly name: string;
  readonly address: WarehouseAddress;
  readonly as: readonly PublishedAs[];
}

/** The datasources of a proposal, and its saved queries and dashboard below `shared/<name>`. */
export interface MadeModels {
  readonly models: readonly PublishedModel[];
  readonly documents: readonly FirstDocument[];
}

export type ModelsPool = WorkerPool<ModelsToMake, MadeModels>;

/** Makes them in this thread. */
export async function makeModels({ proposal, name, address, as }: ModelsToMake): Promise<MadeModels> {
  await loadSqlLibrary();
  const documents = firstAnswers(proposal, name, `shared/${name}`, as);
  return { models: renderModels(proposal, name, address, { as, documents }), documents };
}

/** Makes them in the calling thread: for tests, and for commands. */
export const inlineModels: ModelsPool = { size: 1, run: makeModels };
