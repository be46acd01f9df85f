/** Tests role-playing: which of several paths to a dataset a field reference means. Expected values by hand. */
import { afterAll, beforeAll, expect } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { ValidationError } from '../../../router/errors.ts';
import { toServiceError } from '../../../router/to-service-error.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { testsOn } from '../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

/**
 * Flights 1 Oslo-Rome 100, 2 Rome-Oslo 50, 3 Oslo-Bergen 10, 4 Bergen-nowhere 1. Stops reach airports along one path only.
 */
const TABLES: readonly Table[] = [
  {
    name: 'countries',
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
    ],
    rows: [
      [1, 'Norway'],
      [2, 'Italy'],
    ],
  },
  {
    name: 'airports',
    columns: [
      ['id', 'integer'],
      ['city', 'text'],
      ['country', 'integer'],
      ['owner', 'integer'],
    ],
    rows: [
      [1, 'Oslo', 1, 2],
      [2, 'Rome', 2, 2],
      [3, 'Bergen', 1, 1],
    ],
  },
  {
    name: 'flights',
    columns: [
      ['id', 'integer'],
      ['origin', 'integer'],
      ['target', 'integer'],
      ['seats', 'integer'],
      ['plane', 'text'],
    ],
    rows: [
      [1, 1, 2, 100, 'x'],
      [2, 2, 1, 50, 'x'],
      [3, 1, 3, 10, 'y'],
      [4, 3, null, 1, 'y'],
    ],
  },
  {
    name: 'stops',
    columns: [
      ['id', 'integer'],
      ['airport', 'integer'],
      ['minutes', 'integer'],
    ],
    rows: [
      [1, 1, 5],
      [2, 2, 7],
      [3, 2, 9],
    ],
  },
];
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`;
const DOCUMENT = `
semantic_model:
  - name: air
    datasets:
      - { name: flights, source: flights, primary_key: [id], fields: [${field('id')}, ${field('plane')}] }
      - { name: airports, source: airports, primary_key: [id], fields: [{ name: city, label: City, expression: [{ dialect: ANSI_SQL, expression: city }] }] }
      - { name: stops, source: stops, primary_key: [id], fields: [${field('minutes')}] }
      - name: countries
        source: countries
        primary_key: [id]
        fields: [${field('name')}]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"row_predicates":{"ROLE_NORTH":"name = ''Norway''"}}}' }]
    relationships:
      - { name: flight_origin, label: Departure, from: flights, to: airports, from_columns: [origin], to_columns: [id] }
      - { name: flight_target, from: flights, to: airports, from_columns: [target], to_columns: [id] }
      - { name: stop_airport, from: stops, to: airports, from_columns: [airport], to_columns: [id] }
      - { name: airport_country, from: airports, to: countries, from_columns: [country], to_columns: [id] }
      - { name: airport_owner, from: airports, to: countries, from_columns: [owner], to_columns: [id], label: Owner, custom_extensions: [{ vendor_name: SERVICE, data: '{"display":{"caption":"Owned by"}}' }] }
    metrics:
      - ${metric('seats', 'SUM(flights.seats)')}
      - ${metric('flight_count', 'COUNT(flights.id)')}
      - ${metric('minutes', 'SUM(stops.minutes)')}
      - ${metric('airport_count', 'COUNT(airports.id)')}
`;

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let air: Fixture;
  const all = scope('ROLE_ADMIN');
  beforeAll(async () => {
    air = await openOn(engine, TABLES, { document: DOCUMENT });
    expect(air.problems).toEqual([]);
  });
  afterAll(() => air.close());

  const city = (via?: string | string[]) => ({ dataset: 'airports', field: 'city', ...(via && { via }) });
  const country = (via?: string | string[]) => ({ dataset: 'countries', field: 'name', ...(via && { via }) });
  const seats = [{ metric: 'seats' }];

  test('each role is a separate group, with the role in its key and label', async () => {
    const request = { rows: [city('flight_origin')], columns: [city(['flight_target'])], values: seats };
    const { columns } = await air.run(request, all);
    expect(columns).toMatchObject([
      { key: 'airports.city@flight_origin', label: 'City (Departure)' },
      { key: 'airports.city@flight_target', label: 'City (Flight target)' },
      { key: 'seats' },
    ]);
    expect(await air.table(request, all)).toEqual([
      ['Bergen', null, 1],
      ['Oslo', 'Bergen', 10],
      ['Oslo', 'Rome', 100],
      ['Rome', 'Oslo', 50],
    ]);
  });

  test('a matrix shows roles by their labels, and the schema lists them where there are several', async () => {
    const request = { rows: [country('flight_origin/airport_owner')], columns: [city('flight_target')], values: seats };
    const { columns } = await air.run(request, all);
    expect(columns.map(({ label }) => label)).toEqual(['name (Departure / Owned by)', 'City (Flight target)', 'seats']);
    const matrix = await air.operations(all).query({ connection: 'test', ...request, format: 'matrix' });
    expect(JSON.stringify('cellSetHeaders' in matrix && matrix.cellSetHeaders)).toContain(
      '"name (Departure / Owned by)"',
    );
    const { datasets, relationships } = await air.operations(all).schema({ connection: 'test', model: 'air' });
    expect(datasets.airports?.roles).toEqual([
      { via: 'flight_origin', label: 'Departure', from: ['flights'] },
      { via: 'flight_target', label: 'Flight target', from: ['flights'] },
    ]);
    expect(datasets.countries?.roles).toEqual([
      { via: 'flight_origin/airport_country', label: 'Departure / Airport country', from: ['flights'] },
      { via: 'flight_origin/airport_owner', label: 'Departure / Owned by', from: ['flights'] },
      { via: 'flight_target/airport_country', label: 'Flight target / Airport country', from: ['flights'] },
      { via: 'flight_target/airport_owner', label: 'Flight target / Owned by', from: ['flights'] },
      { via: 'airport_country', label: 'Airport country', from: ['airports', 'stops'] },
      { via: 'airport_owner', label: 'Owned by', from: ['airports', 'stops'] },
    ]);
    expect(datasets.flights).not.toHaveProperty('roles');
    expect(relationships.map(({ label }) => label)).toEqual(['Departure', undefined, undefined, undefined, 'Owned by']);
  });

  test('a filter means its role, beside a group of another one', async () => {
    const filters = [{ ...city('flight_target'), op: 'EQ', value: 'Rome' }];
    expect(await air.table({ rows: [city('flight_origin')], values: seats, filters }, all)).toEqual([['Oslo', 100]]);
    const both = [...filters, { ...city('flight_origin'), op: 'EQ', value: 'Oslo' }];
    expect(await air.table({ values: seats, filters: both }, all)).toEqual([[100]]);
  });

  test('a sort names a role by key, or by field and via', async () => {
    const request = { rows: [city('flight_origin'), city('flight_target')], values: seats };
    const expected = [
      ['Bergen', null, 1],
      ['Oslo', 'Rome', 100],
      ['Oslo', 'Bergen', 10],
      ['Rome', 'Oslo', 50],
    ];
    const first = { field: 'airports.city@flight_origin' };
    for (const second of [
      { field: 'airports.city@flight_target', direction: 'DESC' },
      { field: 'airports.city', via: 'flight_target', direction: 'DESC' },
      { dataset: 'airports', field: 'city', via: ['FLIGHT_TARGET'], direction: 'DESC' },
    ]) {
      expect(await air.table({ ...request, sorts: [first, second] }, all)).toEqual(expected);
    }
    expect(await air.refusal({ ...request, sorts: [{ field: 'airports.city' }] }, all)).toMatchObject({
      field: 'sorts[0].field',
      available: ['airports.city@flight_origin', 'airports.city@flight_target'],
    });
  });

  test('a sort with via means the field with this via, where the same field is also there without one', async () => {
    const request = { rows: [city('stop_airport'), city()], values: [{ metric: 'minutes' }] };
    const sorts = [{ ...city('stop_airport'), direction: 'DESC' }];
    expect(await air.table({ ...request, sorts }, all)).toEqual([
      ['Rome', 'Rome', 16],
      ['Oslo', 'Oslo', 5],
    ]);
  });

  test('a list selects a path over two forks, and one text with the same names means the same', async () => {
    // Owners of the origins: Oslo and Rome are Italy's, Bergen is Norway's.
    const rows = (via: string | string[]) => ({ rows: [country(via)], values: seats });
    expect(await air.table(rows(['flight_origin', 'airport_owner']), all)).toEqual([
      ['Italy', 160],
      ['Norway', 1],
    ]);
    expect(await air.table(rows('flight_origin/airport_country'), all)).toEqual([
      ['Italy', 50],
      ['Norway', 111],
    ]);
  });

  test('every candidate can be put into the request unchanged, and each path is one of them', async () => {
    const refusal = await air.refusal({ rows: [country()], values: seats }, all);
    expect(refusal).toMatchObject({ field: 'rows[0].via' });
    expect(refusal.available).toEqual([
      'flight_origin/airport_country',
      'flight_origin/airport_owner',
      'flight_target/airport_country',
      'flight_target/airport_owner',
    ]);
    const answers = new Set<string>();
    for (const via of refusal.available ?? []) {
      answers.add(JSON.stringify(await air.table({ rows: [country(via)], values: seats }, all)));
    }
    expect(answers.size).toBe(4);
    const half = await air.refusal({ rows: [country('flight_origin')], values: seats }, all);
    expect(half).toMatchObject({
      field: 'rows[0].via',
      available: ['flight_origin/airport_country', 'flight_origin/airport_owner'],
    });
  });

  test('a relationship that leads nowhere, or elsewhere, is refused with the ones that fit', async () => {
    expect(await air.refusal({ rows: [city('flight_orign')], values: seats }, all)).toMatchObject({
      field: 'rows[0].via',
      available: ['flight_origin', 'flight_target'],
    });
    expect(await air.refusal({ rows: [city(['flight_origin', 'stop_airport'])], values: seats }, all)).toMatchObject({
      field: 'rows[0].via',
      available: ['flight_origin', 'flight_target'],
    });
  });

  test('a runtime filter narrows the role that its key names, and no other', async () => {
    const request = {
      connection: 'test',
      rows: [city('flight_origin')],
      columns: [city('flight_target')],
      values: seats,
    };
    const { source } = air.surface;
    const [origin, target] = ['airports.city@flight_origin', 'airports.city@flight_target'];
    expect(source.prepare(request).dimensions).toEqual([origin, target]);
    const narrowed = async (field: string, value: string) => {
      const runtimeFilters = [{ field, op: 'EQ', values: [value] }] as const;
      const { records } = await source.prepare(request).run(all, { runtimeFilters });
      return records.map((record) => [record[origin], record[target]]);
    };
    expect(await narrowed(origin, 'Rome')).toEqual([['Rome', 'Oslo']]);
    expect(await narrowed(target, 'Rome')).toEqual([['Oslo', 'Rome']]);
  });

  test('all places with a missing or wrong relationship are reported together, also a dataset that none leads to', async () => {
    const filters = [
      { ...city(), op: 'EQ', value: 'Rome' },
      { dataset: 'stops', field: 'minutes', op: 'GT', value: 1 },
    ];
    const request = { rows: [city()], columns: [country('flight_origin')], values: seats, filters };
    const { problems } = await air.refusal(request, all);
    expect(problems.map((problem) => toProblemBody(problem).field)).toEqual([
      'rows[0].via',
      'columns[0].via',
      'filters[0].via',
      'filters[1].dataset',
    ]);
    // One is missing, one is of other facts.
    const other = { rows: [city()], columns: [country(['flight_origin', 'stop_airport'])], values: seats };
    const messages = (await air.refusal(other, all)).problems.map((problem) => toProblemBody(problem).field);
    expect(messages).toEqual(['rows[0].via', 'columns[0].via']);
  });

  test('a place with several paths is reported beside mistakes in names, unless only these leave it open', async () => {
    const fieldsOf = async (request: object) =>
      (await air.refusal(request, all)).problems.map((problem) => toProblemBody(problem).field).toSorted();
    // An unknown relationship beside a dataset with two paths; also without a metric.
    const rows = [city('flight_orign'), country('flight_target')];
    expect(await fieldsOf({ rows, values: seats })).toEqual(['rows[0].via', 'rows[1].via']);
    const filters = [
      { dataset: 'airports', field: 'town', op: 'EQ', value: 'x' },
      { ...city(), op: 'EQ', value: 'x' },
    ];
    const places = ['filters[0].field', 'filters[1].via', 'rows[0].via'];
    expect(await fieldsOf({ rows: [city()], values: seats, filters })).toEqual(places);
    const sorts = [{ metric: 'seets' }];
    expect(await fieldsOf({ rows: [city()], values: [...seats, { metric: 'x' }], sorts })).toEqual([
      'rows[0].via',
      'values[1].metric',
    ]);
    expect(await fieldsOf({ rows: [city('x'), country()] })).toEqual(['rows[0].via', 'rows[1].via']);
    expect(await fieldsOf({ rows: [city()], values: seats, filters: [{ any: filters }] })).toEqual([
      'filters[0].any[0].field',
      'filters[0].any[1].via',
      'rows[0].via',
    ]);
    // The metric might be of stops, from which only one path leads to an airport.
    expect(await fieldsOf({ rows: [city()], values: [{ metric: 'x' }] })).toEqual(['values[0].metric']);
    // From stops, one path leads to an airport, whatever the misspelt field is.
    const plane = { dataset: 'flights', field: 'plain' };
    expect(await fieldsOf({ rows: [plane, city()], values: [{ metric: 'minutes' }] })).toEqual(['rows[0].field']);
    // The same beside mistakes of shape.
    const { query } = air.operations(all);
    const shaped = async (request: object) => {
      const body = { connection: 'test', ...request } as Parameters<typeof query>[0];
      const error = toServiceError(await query(body).catch((thrown: unknown) => thrown));
      return error instanceof ValidationError ? error.problems.map((problem) => toProblemBody(problem).field) : [];
    };
    expect(await shaped({ rows: [city()], values: seats, limit: 'x' })).toEqual(['limit', 'rows[0].via']);
    expect(await shaped({ rows: [city()], values: [{ metric: 1 }] })).toEqual(['values[0].metric']);
  });

  test('facts beside each other share a group, each along its own relationship', async () => {
    const values = [{ metric: 'seats' }, { metric: 'minutes' }];
    expect(await air.table({ rows: [city('flight_target')], values }, all)).toEqual([
      ['Bergen', 10, null],
      ['Oslo', 50, 5],
      ['Rome', 100, 16],
      [null, 1, null],
    ]);
  });

  test('a metric of the one side is grouped over the relationship that is named', async () => {
    const plane = (via?: string) => ({ dataset: 'flights', field: 'plane', ...(via && { via }) });
    const values = [{ metric: 'airport_count' }];
    expect(await air.refusal({ rows: [plane()], values }, all)).toMatchObject({
      field: 'rows[0].via',
      available: ['flight_origin', 'flight_target'],
    });
    // Origins of x: Oslo, Rome; of y: Oslo, Bergen. Targets of x: Rome, Oslo; of y: Bergen.
    expect(await air.table({ rows: [plane('flight_origin')], values }, all)).toEqual([
      ['x', 2],
      ['y', 2],
    ]);
    expect(await air.table({ rows: [plane('flight_target')], values }, all)).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    const filters = [{ ...plane('flight_target'), op: 'EQ', value: 'y' }];
    expect(await air.table({ values, filters }, all)).toEqual([[1]]);
  });

  test('fields without metrics are the values that occur in the role, in row detail too', async () => {
    expect(await air.table({ rows: [city('flight_target')] }, all)).toEqual([['Bergen'], ['Oslo'], ['Rome'], [null]]);
    const request = { connection: 'test', rows: [{ ...city(), via: 'flight_origin' }], values: seats };
    const { records } = await air.operations(all).rowDetail(request);
    expect(records).toEqual(['Bergen', 'Oslo', 'Rome'].map((name) => ({ 'airports.city@flight_origin': name })));
  });

  test('the preview names the relationships, and predicates apply in every role', async () => {
    const request = { connection: 'test', rows: [{ ...city(), via: 'flight_origin' }], values: seats };
    const { plan } = await air.operations(all).preview(request);
    expect(plan.grain).toEqual(['airports.city@flight_origin']);
    expect(plan.metrics[0]?.parts[0]?.paths).toEqual(['flights → airports (flight_origin)']);
    // Both ends in Norway, owned by Norway: none of the airports of flights 1 to 3 qualifies on all four paths.
    expect(await air.table({ rows: [city('flight_origin')], values: seats }, scope('ROLE_NORTH'))).toEqual([]);
  });
});
