/** Compares answers to random requests with loops over the rows, and cached answers with fresh ones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuntimeFilter, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { jobMigrations, type OpenJobs, openJobs } from '../../../server/jobs/index.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { CubeCapabilities } from '../cube-surface.ts';
import { runMdx } from '../offline/commands.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { ENGINE_THREADS } from '../testing/engine-fixture.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';
import { expectedRecords, isAmong, type RandomRequest, randomRequests, TODAY } from '../testing/random-requests.ts';
import { CUBE, MONTH_LEVEL, REGION_LEVEL, TOWN_LEVEL, TRADE_SCHEMA, TRADE_TABLES } from '../testing/trade.ts';

const REQUESTS = Number(process.env.REQUESTS ?? 120);
/** A statement on Trino takes so much longer that fewer requests are enough. */
const SLOWER = 12;

// DuckDB, and Trino, whose SQL differs most from it; `mdx/dialects.test.ts` runs fixed queries on every engine.
describeEngines(`random requests on $engine (SEED=${SEED})`, suite, { engines: ['duckdb', 'trino'] });

function suite(engine: AnyEngineName): void {
  const requests = engine === 'duckdb' ? REQUESTS : Math.ceil(REQUESTS / SLOWER);
  let warehouse: TestWarehouse;
  let state: StateStore;
  let jobs: OpenJobs;
  let folder: string;
  let cached: Fixture;
  let uncached: Fixture;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
    warehouse = await startWarehouse(engine, TRADE_TABLES);
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ jobs: jobMigrations, cube: recentQueryMigrations });
    jobs = openJobs({ state, clock: Date.now, log: silent });
    const open = (maxBytes: number, cacheTtlMs: number, engines?: CubeCapabilities['engines']) =>
      Fixture.open({
        warehouses: warehouse.warehouses,
        address: warehouse.address,
        cache: openCache({ maxBytes, clock: Date.now }),
        state,
        jobs,
        schema: TRADE_SCHEMA,
        settings: { cacheTtlMs },
        engines,
        clock: () => TODAY,
      });
    cached = await open(50_000_000, 600_000, ENGINE_THREADS);
    uncached = await open(0, 0);
  });
  afterAll(async () => {
    await cached.close();
    await uncached.close();
    await jobs.close();
    await state.close();
    await warehouse.stop();
    await rm(folder, { recursive: true });
  });

  it('reads its schema, and reports the missing region', () => {
    expect(cached.problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('[Place].[East]') },
      { severity: 'warning', message: expect.stringContaining('"no one" sees no figure of the cube "Trade"') },
    ]);
  });

  const table = ({ columns, records }: TabularAnswer): readonly (readonly unknown[])[] =>
    records.map((record) =>
      columns.map(({ key }) => {
        const cell = record[key];
        return typeof cell === 'object' && cell !== null ? cell.value : cell;
      }),
    );

  it('have the answers of loops over the rows', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(randomRequests, async (drawn) => {
        const run = (runtimeFilters: readonly RuntimeFilter[]) =>
          uncached.surface.source.prepare(drawn.request).run(scope(drawn.role), { runtimeFilters });
        expect(rounded(table(await run([])))).toEqual(rounded(expectedRecords(drawn)));
        const narrowed = await run(drawn.narrowing.map(({ filter }) => filter));
        expect(rounded(table(narrowed))).toEqual(rounded(expectedRecords(drawn, drawn.narrowing)));
      }),
      { seed: SEED, numRuns: requests },
    );
  });

  it('have the same answers from the cache and an engine in a thread as without both', {
    timeout: 120_000,
  }, async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        // The cache does not know engines: what differs is how each form reads the statements of one request.
        fc.array(randomRequests, engine === 'trino' ? ONE : { minLength: 2, maxLength: 4 }).chain((drawn) =>
          // Each request, and a request of the same MDX with fewer captions, in every form, twice and in any order.
          fc.shuffledSubarray(
            [...drawn, ...drawn.map(withoutUpperLevels)].flatMap((each) =>
              WAYS.flatMap((way) => [
                { way, each },
                { way, each },
              ]),
            ),
            { minLength: 16 },
          ),
        ),
        async (requests) => {
          for (const { way, each } of requests) {
            const answer = await ask(cached, way, each);
            hits += JSON.stringify(answer).includes('"cached":true') ? 1 : 0;
            expect(timeless(answer)).toEqual(timeless(await ask(uncached, way, each)));
          }
        },
      ),
      { seed: SEED, numRuns: Math.ceil(requests / 8) },
    );
    expect(hits).toBeGreaterThan(requests / 4);
  });

  it('return MDX that runs unchanged in service mdx, with the same cells', { timeout: 120_000 }, async () => {
    const { warehouses, address } = warehouse;
    const masking = await Fixture.open({
      warehouses,
      address,
      cache: openCache({ maxBytes: 0, clock: Date.now }),
      state,
      schema: TRADE_SCHEMA,
      settings: { kAnonymity: { threshold: 3, mask: null } },
    });
    const values = (cells: readonly unknown[]): readonly unknown[] =>
      cells.filter((cell) => typeof cell === 'number').map((cell) => Number(Number(cell).toPrecision(10)));
    await fc.assert(
      fc.asyncProperty(randomRequests, async ({ request, role }) => {
        for (const fixture of [uncached, masking]) {
          const { body } = await fixture.call('POST /query', request, scope(role));
          const shown = values(
            body.data.flatMap((row: object) =>
              Object.values(row).map((cell: unknown) =>
                typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : undefined,
              ),
            ),
          );
          const mdx = body.metadata.generatedMdx;
          const outcome = await runMdx({
            mdx,
            schemaText: TRADE_SCHEMA,
            warehouse: () => warehouses.open(address),
            roles: [role],
            maxRows: 100,
          });
          if (!('cells' in outcome)) throw new Error('This is no query.');
          const ran = values(outcome.cells.cells.map(({ value }) => value));
          if (fixture === uncached) expect(ran.toSorted()).toEqual(shown.toSorted());
          else expect(ran).toEqual(expect.arrayContaining([...shown]));
        }
      }),
      { seed: SEED, numRuns: Math.ceil(requests / 4) },
    );
    await masking.close();
  });

  it('rows of a city alone and with its region are two answers, though their MDX is one', async () => {
    const towns = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Place', level: 'Town' }] };
    const both = { ...towns, rows: [{ dimension: 'Place', level: 'Region' }, ...towns.rows] };
    const [alone, together] = [
      await cached.table(towns, scope('everything')),
      await cached.table(both, scope('everything')),
    ];
    expect(alone.map((row) => row.length)).toEqual([2, 2, 2, 2, 2]);
    expect(together.map((row) => row.slice(0, 2))).toEqual([
      ['North', 'Bergen'],
      ['North', 'Oslo'],
      ['South', 'Oslo'],
      ['South', 'Rome'],
      ['West', 'Cork'],
    ]);
    expect(together.map((row) => row.slice(1))).toEqual(alone);
  });

  it('a distinct count over several regions counts only what the role sees', async () => {
    // The role sees Oslo of North and Oslo of South. The slicer has both regions.
    const regions = ['[Place].[North]', '[Place].[South]'];
    const drawn: RandomRequest = {
      role: 'towns',
      shown: [],
      filters: [{ holds: isAmong(REGION_LEVEL, regions) }],
      narrowing: [],
      request: {
        cube: CUBE,
        measures: [{ name: 'Buyers' }, { name: 'Sales' }],
        filters: [
          { dimension: 'Place', level: 'Region', members: regions },
          { dimension: 'Time', level: 'Month', members: ['[Time].[2025].[Q1].[1]'] },
        ],
      },
    };
    const january = { holds: isAmong(MONTH_LEVEL, ['[Time].[2025].[Q1].[1]']) };
    const [expected = []] = expectedRecords({ ...drawn, filters: [...drawn.filters, january] });
    const [[everybody] = []] = expectedRecords({ ...drawn, role: 'everything', filters: [...drawn.filters, january] });
    expect(expected[0]).not.toBe(everybody);
    expect(await uncached.table(drawn.request, scope('towns'))).toEqual([expected]);
  });

  describe('a what-if', () => {
    const ALLOCATIONS = ['equal_allocation', 'equal_increment', 'weighted_allocation', 'weighted_increment'];
    const total = { cube: CUBE, measures: [{ name: 'Units' }] };
    const ask = (role: string, query: object, change: object) =>
      uncached.call('POST /scenario/whatif', { query, changes: [{ measure: 'Units', ...change }] }, scope(role));

    // Allocations are computed here, not by the engine: Trino gets each with one or two of the roles.
    const allocationsOf = (at: number) =>
      engine === 'trino' ? ALLOCATIONS.filter((_, index) => index === at % ALLOCATIONS.length) : ALLOCATIONS;
    it.each(
      ['everything', 'north', 'towns', 'regions', 'without regions', 'full', 'no place'].flatMap((role, at) =>
        allocationsOf(at).map((allocation) => [role, allocation] as const),
      ),
    )('of the role %s makes the cell what it says, by %s', async (role, allocation) => {
      const place = { everything: 'North', towns: 'North', north: 'North', regions: 'North', full: 'North' };
      const members = [
        '[Time].[2025]',
        ...(Object.hasOwn(place, role) ? ['[Place].[North]'] : role === 'no place' ? [] : ['[Place].[North].[Oslo]']),
      ];
      const filters = [
        { dimension: 'Time', members: members.slice(0, 1) },
        ...members.slice(1).map((member) => ({ dimension: 'Place', members: [member] })),
      ];
      const { status, body } = await ask(role, { ...total, filters }, { members, value: 1_000, allocation });
      expect({ status, problem: body.error }).toEqual({ status: 200, problem: undefined });
      expect(body.data[0].Units.value).toBeCloseTo(1_000);
    });

    it('of a total that the role sees in part changes the visible part', async () => {
      const { body } = await ask('towns', { ...total, rows: [{ dimension: 'Place', level: 'Town' }] }, { value: 100 });
      const values: readonly number[] = body.data.map((row: Record<string, { value: number }>) => row.Units?.value);
      expect(values).toEqual([50, 50]); // Oslo of North and Oslo of South have as many months and buyers each.
    });

    it.each([
      ['a total that may not be seen', 'hidden', { value: 1 }, 'changes[0].members'],
      ['what the role sees nothing of', 'no one', { value: 1 }, 'changes[0].members'],
      [
        'weights of an empty cell',
        'everything',
        { members: ['[Place].[West].[Lisbon]'], value: 1, allocation: 'weighted_allocation' },
        'changes[0].allocation',
      ],
      ['an expression', 'everything', { members: ['[Place].[North].Children'], value: 1 }, 'changes[0].members[0]'],
      ['several members', 'everything', { members: ['[Place].[Town].[Oslo]'], value: 1 }, 'changes[0].members[0]'],
      ['a member that is not there', 'everything', { members: ['[Place].[Nort]'], value: 1 }, 'changes[0].members[0]'],
      ['a member that is not seen', 'north', { members: ['[Place].[South]'], value: 1 }, 'changes[0].members[0]'],
    ])('of %s is reported as the caller’s mistake', async (_, role, change, field) => {
      const { status, body } = await ask(role, total, change);
      expect({ status, field: body.field }).toEqual({ status: 400, field });
      if (field.endsWith(']')) expect(body.available[0]).toMatch(/^\[Place\]\.\[North\]/);
      expect(JSON.stringify(body.available)).not.toMatch(role === 'north' ? /South/ : /never/);
    });
  });

  describe('mistakes of shape and of names', () => {
    const wrong = {
      cube: CUBE,
      measures: [{ nam: 'Units' }, { name: 'Unitz' }],
      rows: [{ level: 'Town' }, { dimension: 'Place', level: 'Towns' }],
      filters: [
        { dimension: 'Place', level: 'Region', op: 'like' },
        { dimension: 'Place', members: ['Nort'] },
      ],
      order: [
        { by: 'Unit', direction: 'asc' },
        { by: 'Units', direction: 'up' },
      ],
      limit: 'ten',
    };
    const fields = [
      'measures[0].name',
      'measures[0].nam',
      'rows[0].dimension',
      'filters[0].op',
      'order[1].direction',
      'limit',
      'measures[1].name',
      'rows[1].level',
      'filters[1].members[0]',
      'order[0].by',
    ];
    type Refusal = { readonly problems: readonly { readonly field: string; readonly available: readonly string[] }[] };

    it.each(['POST /query', 'POST /query/preview', 'POST /query/execute-async'])(
      'of one body are reported together by %s',
      async (operation) => {
        const { status, body } = await uncached.call(operation, wrong, scope('everything'));
        const { problems }: Refusal = body;
        expect(status).toBe(400);
        expect(problems.map(({ field }) => field).toSorted()).toEqual(fields.toSorted());
        const of = (field: string) => problems.find((problem) => problem.field === field)?.available;
        expect(of('filters[0].op')).toEqual(['in', 'not_in', 'between', 'descendants_of', 'relative']);
        expect(of('order[1].direction')).toEqual(['asc', 'desc']);
        expect(of('measures[1].name')?.[0]).toBe('Units');
        expect(of('filters[1].members[0]')?.[0]).toBe('[Place].[North]');
      },
    );

    it('are reported together if no measure has the right shape, and in a what-if', async () => {
      const query = { ...wrong, measures: 'Units', filters: undefined, order: undefined };
      const { body } = await uncached.call(
        'POST /scenario/whatif',
        { query, changes: [{ measure: 'Units', value: 'many' }] },
        scope('everything'),
      );
      const { problems }: Refusal = body;
      expect(problems.map(({ field }) => field).toSorted()).toEqual(
        [
          'changes[0].value',
          'query.limit',
          'query.measures',
          'query.rows[0].dimension',
          'query.rows[1].level',
        ].toSorted(),
      );
    });

    it('in a level are reported with the levels of every hierarchy, each of which is accepted', async () => {
      const by = (level: string) => ({
        cube: CUBE,
        measures: [{ name: 'Units' }],
        rows: [{ dimension: 'Time', level }],
      });
      const { body } = await uncached.call('POST /query', by('Codes'), scope('everything'));
      expect(body.available[0]).toBe('Code');
      expect([...body.available].sort()).toEqual(['(All)', 'Code', 'Month', 'Number', 'Quarter', 'Year']);
      // Two other hierarchies have a level of this name, so its unique name is required.
      const several = await uncached.call('POST /query', by('Title'), scope('everything'));
      expect(several.body.available).toEqual(['[Time.Numbers].[Title]', '[Time.Titles].[Title]']);
      for (const level of [...body.available, ...several.body.available])
        expect((await uncached.call('POST /query', by(level), scope('everything'))).status).toBe(200);
    });

    it('of a missing cube are reported as far as possible', async () => {
      const { status, body } = await uncached.call('POST /query', { ...wrong, cube: 'none' }, scope('everything'));
      expect({ status, field: body.field }).toEqual({ status: 400, field: 'measures[0].name' });
    });
  });

  describe('a member', () => {
    const by = (dimension: string, level: string, members: readonly string[], op = 'in') => ({
      cube: CUBE,
      measures: [{ name: 'Units' }],
      filters: [{ dimension, level, op, members }],
    });

    it.each([
      ['children', by('Place', 'Town', ['[Place].[North].Children'])],
      ['one child', by('Place', 'Town', ['[Place].[West].FirstChild'])],
      ['the next one', by('Place', 'Region', ['[Place].[North].NextMember'])],
      ['all of a level', by('Place', 'Region', ['[Place].[Region].Members'])],
      ['a call', by('Place', 'Region', ['[Place].[Region].Members.Item(0)'])],
      ['a set', by('Place', 'Region', ['{[Place].[North]}'])],
      ['a parent', by('Place', 'Region', ['[Place].[North].[Oslo].Parent'])],
      ['several names', by('Place', 'Region', ['[Place].[North], [Place].[South]'])],
      ['a measure', by('Place', 'Region', ['[Measures].[Units]'])],
      ['a level', by('Place', 'Region', ['[Place].[Region]'])],
      ['a hierarchy', by('Place', 'Region', ['[Place]'])],
    ])('written as an expression (%s) is refused, and candidates are reported', async (_, request) => {
      const level = request.filters[0]?.level === 'Town' ? '[Place].[North].[Bergen]' : '[Place].[North]';
      for (const body of [
        request,
        { ...request, filters: undefined, rows: request.filters.map(({ op: _, ...item }) => item) },
      ]) {
        const answer = await uncached.call('POST /query', body, scope('everything'));
        expect(answer).toMatchObject({ status: 400, body: { field: expect.stringMatching(/members\[0\]$/) } });
        expect(answer.body.available).toContain(level);
      }
    });

    it.each([
      [
        'by its level, where another has the name',
        '[Place].[Town].[Oslo]',
        ['[Place].[North].[Oslo]', '[Place].[South].[Oslo]'],
      ],
      ['by its caption, where another has it', 'Oslo', ['[Place].[North].[Oslo]', '[Place].[South].[Oslo]']],
    ])('called %s is ambiguous', async (_, name, available) => {
      const answer = await uncached.call('POST /query', by('Place', 'Town', [name]), scope('everything'));
      expect(answer).toMatchObject({ status: 400, body: { field: 'filters[0].members[0]', available } });
    });

    it.each([
      ['by its unique name', '[Place].[West].[Cork]'],
      ['in another letter case', '[place].[WEST].[cork]'],
      ['by its level, where no other has the name', '[Place].[Town].[Cork]'],
      ['below the total', '[Place].[All Places].[West].[Cork]'],
      ['by its caption', 'Cork'],
    ])('called %s is that member', async (_, name) => {
      const [[units] = []] = await uncached.table(by('Place', 'Town', [name]), scope('everything'));
      const [[expected] = []] = expectedRecords({
        role: 'everything',
        request: { cube: CUBE, measures: [{ name: 'Units' }] },
        shown: [],
        filters: [{ holds: isAmong(TOWN_LEVEL, ['[Place].[West].[Cork]']) }],
        narrowing: [],
      });
      expect(units).toBe(expected);
    });

    it('by a key that several months have is ambiguous, and unique with the year', async () => {
      const many = await uncached.call(
        'POST /query',
        by('Time', 'Month', ['[Time].[Month].&[1]']),
        scope('everything'),
      );
      expect(many).toMatchObject({
        status: 400,
        body: { available: ['[Time].[2025].[Q1].[1]', '[Time].[2026].[Q1].[1]'] },
      });
      const one = await uncached.call(
        'POST /query',
        by('Time', 'Month', ['[Time].&[2026].&[Q1].&[1]']),
        scope('everything'),
      );
      expect(one.status).toBe(200);
      expect(one.body.metadata.generatedMdx).toContain('[Time].[2026].[Q1].[1]');
    });
  });

  async function ask(
    fixture: Fixture,
    way: (typeof WAYS)[number],
    { request, role, narrowing }: RandomRequest,
  ): Promise<unknown> {
    const as = scope(role);
    switch (way) {
      case 'records':
      case 'matrix':
        return (await fixture.call(`POST /query?format=${way}`, request, as)).body;
      case 'embed':
        return fixture.surface.source.prepare(request).run(as, {});
      case 'narrowed embed': {
        const shown = new Set(fixture.surface.source.prepare(request).dimensions);
        const runtimeFilters = narrowing.flatMap(({ filter }) => (shown.has(filter.field) ? [filter] : []));
        return fixture.surface.source.prepare(request).run(as, { runtimeFilters });
      }
      case 'async': {
        const { body: submitted } = await fixture.call('POST /query/execute-async', request, as);
        for (;;) {
          const { status, body } = await fixture.call(`GET /query/result/${submitted.queryId}`, undefined, as);
          if (status === 200) return body;
          expect(status).toBe(202);
          expect(body.status).not.toBe('FAILED');
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      }
    }
  }
}

const ONE = { minLength: 1, maxLength: 1 };
const WAYS = ['records', 'matrix', 'async', 'embed', 'narrowed embed'] as const;

/** Keeps only the lowest level of each dimension, which has the same MDX. */
function withoutUpperLevels(drawn: RandomRequest): RandomRequest {
  const { rows = [], columns = [], ...request } = drawn.request;
  const lowest = (items: typeof rows) =>
    items.filter(({ dimension }, index) => index === items.map((item) => item.dimension).lastIndexOf(dimension));
  return { ...drawn, request: { ...request, rows: lowest(rows), columns: lowest(columns) } };
}

/** Removes the fields that differ between two answers to the same request. */
function timeless(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    ['queryId', 'freshness', 'runtimeMs'].includes(key) ? undefined : value,
  );
}

function rounded(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows.map((row) => row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(10)) : value)));
}
