/** Publishes what the rules propose for a database of a test, as a cube and as a semantic model, and asks both. */
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runMdx } from '../../cube/index.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { type OsiModel, semantic, writeOsi } from '../../semantic/index.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import { firstAnswers } from '../publish/first-answers.ts';
import { renderSemanticModel } from '../publish/merge-models.ts';
import { rendered } from '../render/cube-xml.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import { InferenceWork } from '../work/work.ts';

const TENANT = 'default' as TenantId;

export interface Published {
  readonly proposal: CubeProposal;
  readonly model: OsiModel;
  readonly documents: ReturnType<typeof firstAnswers>;
  /** Returns the first column of cells by the names of the members on the rows; by `''` where a query has no rows. */
  readonly cells: (mdx: string) => Promise<Readonly<Record<string, number>>>;
  /** Returns the records of a semantic request, with the values of figures. */
  readonly records: (request: object) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly stop: () => Promise<void>;
}

/** Starts a database in DuckDB and publishes it under the name `shop`. */
export async function publishDatabase(setUp: readonly string[]): Promise<Published> {
  await loadSqlLibrary();
  const started = await startWarehouse('duckdb', [...setUp], { poolSize: 2 });
  const profile = await profileSchema({
    warehouse: started.warehouse,
    schema: undefined,
    maxTables: 50,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  const proposal = proposeByRules(profile, { schemaName: 'shop' });
  const { schemaXml: schemaText, validation } = rendered(proposal);
  if (!validation.valid) throw new Error(validation.warnings.join('\n'));
  const model = renderSemanticModel(proposal, 'shop');
  if (model === undefined) throw new Error('no model');
  const surface = semantic({
    warehouses: started.warehouses,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    jobs: NO_JOBS,
    log: silentLog,
    clock: Date.now,
    settings: { maxRows: 10_000, cacheTtlMs: 0, samplesTtlMs: 300_000, kAnonymity: { threshold: 0, mask: null } },
  });
  const datasource = {
    id: 'shop-model',
    name: 'shop-model',
    type: 'SEMANTIC',
    documentPath: 'model.yaml',
    schema: undefined,
    enabled: true,
    warehouse: started.address,
  } as const;
  const problems = await surface.loaderOf(TENANT).load(datasource, writeOsi(model));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  await surface.ready();
  return {
    proposal,
    model,
    documents: firstAnswers(proposal, 'shop', 'shared/shop', ['cube', 'semantic']),
    async cells(mdx) {
      const outcome = await runMdx({
        mdx,
        schemaText,
        warehouse: async () => started.warehouse,
        roles: undefined,
        maxRows: 1_000,
        signal: undefined,
      });
      if (!('cells' in outcome)) throw new Error(JSON.stringify(outcome));
      const { axes, cells } = outcome.cells;
      const tuples = axes[1]?.tuples ?? [[]];
      return Object.fromEntries(tuples.map((tuple, at) => [tuple[0]?.name ?? '', Number(cells[at]?.value)]));
    },
    async records(request) {
      const { columns, records } = await surface.source
        .prepare(request)
        .run({ tenant: TENANT, user: 'ann', roles: ['ROLE_USER'] }, {});
      return records.map((record) =>
        Object.fromEntries(
          columns.map(({ key }) => {
            const cell = record[key];
            const isFigure = typeof cell === 'object' && cell !== null && 'value' in cell;
            return [key, isFigure ? Number(cell.value) : cell];
          }),
        ),
      );
    },
    stop: () => started.stop(),
  };
}
