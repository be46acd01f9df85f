import { describe, expect, it } from 'vitest';
import type { Relationship } from './model.ts';
import { describePath, RelationshipGraph } from './relationship-graph.ts';

function relationship(
  from: string,
  to: string,
  kind: 'many' | 'one' | 'none' = 'many',
  name = `${from}_${to}`,
): Relationship {
  return {
    name,
    from,
    to,
    fromColumns: ['k'],
    toColumns: ['id'],
    toIsUnique: kind !== 'none',
    fromIsUnique: kind === 'one',
    extensions: [],
  };
}

function graph(...relationships: readonly Relationship[]): RelationshipGraph {
  const names = relationships.flatMap(({ from, to }) => [from, to]);
  return new RelationshipGraph({ relationships, datasets: new Map(names.map((name) => [name, undefined])) });
}

describe('paths', () => {
  it('lead towards one row only, over several hops', () => {
    const star = graph(relationship('sales', 'stores'), relationship('stores', 'regions'));
    expect(star.paths('sales', 'regions').map((path) => describePath('sales', path))).toEqual([
      'sales → stores (sales_stores) → regions (stores_regions)',
    ]);
    expect(star.paths('regions', 'sales')).toEqual([]);
    expect(star.paths('sales', 'sales')).toEqual([[]]);
  });

  it('of role-playing relationships are all found', () => {
    const roles = graph(
      relationship('flights', 'airports', 'many', 'origin'),
      relationship('flights', 'airports', 'many', 'target'),
    );
    expect(roles.paths('flights', 'airports').map((path) => path[0]?.relationship)).toEqual(['origin', 'target']);
  });

  it('end in circles', () => {
    const circle = graph(relationship('a', 'b'), relationship('b', 'c'), relationship('c', 'a'));
    expect(circle.paths('a', 'c')).toHaveLength(1);
    expect([...circle.reachable('a')].toSorted()).toEqual(['b', 'c']);
  });

  it('go in both directions where both sides are keys, and in none where neither is', () => {
    expect(graph(relationship('a', 'b', 'one')).paths('b', 'a')).toHaveLength(1);
    expect(graph(relationship('a', 'b', 'none')).paths('a', 'b')).toEqual([]);
  });
});

describe('a detour', () => {
  const messages = (from: string, to: string, ...relationships: readonly Relationship[]) =>
    graph(...relationships)
      .directPaths(from, to)
      .map((path) => path.map(({ relationship: name }) => name).join(' '));
  const shared = [
    relationship('sales', 'customers'),
    relationship('sales', 'details'),
    relationship('customers', 'details', 'one'),
  ];

  it('over two keys is left out where one relationship leads there', () => {
    expect(messages('sales', 'details', ...shared)).toEqual(['sales_details']);
    expect(messages('sales', 'customers', ...shared)).toEqual(['sales_customers']);
    expect(graph(...shared).paths('sales', 'details')).toHaveLength(2);
  });

  it('is left out in longer paths, too', () => {
    expect(messages('sales', 'regions', ...shared, relationship('details', 'regions'))).toEqual([
      'sales_details details_regions',
    ]);
  });

  it('of many datasets that share a key is left out however many there are', () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const all = names.flatMap((one, index) => names.slice(index + 1).map((other) => relationship(one, other, 'one')));
    expect(messages('d3', 'd11', ...all)).toEqual(['d3_d11']);
  });

  it('without a relationship between keys may have another meaning, and stays a second path', () => {
    const both = [relationship('sales', 'stores'), relationship('stores', 'regions'), relationship('sales', 'regions')];
    expect(messages('sales', 'regions', ...both)).toEqual(['sales_regions', 'sales_stores stores_regions']);
  });

  it('by another role of the same dataset stays a second path', () => {
    const roles = [
      relationship('flights', 'airports', 'many', 'origin'),
      relationship('flights', 'airports', 'many', 'target'),
      relationship('airports', 'towers', 'one'),
    ];
    expect(messages('flights', 'towers', ...roles)).toEqual(['origin airports_towers', 'target airports_towers']);
    expect(messages('flights', 'towers', ...roles, relationship('flights', 'towers'))).toEqual(['flights_towers']);
  });
});

describe('datasets meet', () => {
  const shop = graph(
    relationship('sales', 'stores'),
    relationship('sales', 'products'),
    relationship('returns', 'products'),
    relationship('returns', 'stores'),
    relationship('stores', 'regions'),
  );

  it('in the nearest one that reaches them', () => {
    expect(shop.commonDatasets(['stores', 'regions'])).toEqual(['stores']);
    expect(shop.commonDatasets(['sales', 'products'])).toEqual(['sales']);
  });

  it('in several that are equally near', () => {
    expect([...shop.commonDatasets(['stores', 'products'])].toSorted()).toEqual(['returns', 'sales']);
  });

  it('nowhere', () => {
    expect(shop.commonDatasets(['sales', 'returns'])).toEqual([]);
  });
});
