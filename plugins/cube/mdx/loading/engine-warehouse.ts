import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';

/** The part of a warehouse that the engine uses. */
export type EngineWarehouse = Pick<Warehouse, 'dialect' | 'query' | 'tables' | 'dataVersion'>;
