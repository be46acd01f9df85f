import { expect, it } from 'vitest';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Embed } from './breakage.ts';
import type { StoredRequest } from './stored-requests.ts';
import { usesOfModel } from './uses-of-model.ts';

const NOTHING = { columns: [], filterable: [] } as const;

it('lists each document with the fields and metrics that it names, wherever they are', () => {
  const query: StoredRequest = {
    kind: 'query',
    path: 'shared/sales.service',
    title: 'Sales',
    request: {
      connection: 'shop',
      rows: [{ dataset: 'sales', field: 'day', grain: 'month' }],
      values: [{ metric: 'revenue' }, { metric: 'revenue' }],
      filters: [{ dataset: 'stores', field: 'city', op: 'EQ', value: 'Ulm' }],
      sorts: [{ metric: 'margin', direction: 'DESC' }],
    },
    columns: ['sales.day.month@delivered'],
    filterable: ['stores.country'],
  };
  const tile: StoredRequest = {
    ...NOTHING,
    kind: 'tile',
    path: 'shared/board.servicedash',
    title: 'Orders',
    tile: 'figure',
    request: { connection: 'shop', values: [{ metric: 'orders' }] },
  };
  const embed = (id: string, path: string): Embed => ({
    kind: 'token',
    id,
    label: undefined,
    path,
    scope: { tenant: 'default' as TenantId, user: 'ann', roles: [] },
  });
  const embeds = [embed('1', tile.path), embed('2', tile.path), embed('3', 'shared/other.service')];
  expect(usesOfModel([query, tile], embeds)).toEqual([
    {
      kind: 'query',
      path: 'shared/sales.service',
      title: 'Sales',
      names: ['margin', 'revenue', 'sales.day', 'stores.city', 'stores.country'],
      embeds: 0,
    },
    {
      kind: 'tile',
      path: 'shared/board.servicedash',
      title: 'Orders',
      tile: 'figure',
      names: ['orders'],
      embeds: 2,
    },
  ]);
});
