import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';

/** What the engine needs of a warehouse. */
export type EngineWarehouse = Pick<Warehouse, 'dialect' | 'query' | 'tables' | 'dataVersion'>;
