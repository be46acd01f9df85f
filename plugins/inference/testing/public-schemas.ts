/** Three well-known databases that people try a product on first. */
import { CHINOOK } from './chinook.ts';
import { NORTHWIND } from './northwind.ts';
import { SAKILA } from './sakila.ts';

export const PUBLIC_SCHEMAS = [CHINOOK, NORTHWIND, SAKILA] as const;
