import { expect, it } from 'vitest';
import { nearestFirst } from './nearest-names.ts';

it('candidates come nearest first and all of them come', () => {
  expect(nearestFirst('net_sale', ['quantity', 'sales', 'net_sales', 'orders'])).toEqual([
    'net_sales',
    'sales',
    'quantity',
    'orders',
  ]);
});
