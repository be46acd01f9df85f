import { expect, it } from 'vitest';
import { nearestFirst } from './nearest-names.ts';

it('all candidates are returned, nearest first', () => {
  expect(nearestFirst('net_sale', ['quantity', 'sales', 'net_sales', 'orders'])).toEqual([
    'net_sales',
    'sales',
    'quantity',
    'orders',
  ]);
});
