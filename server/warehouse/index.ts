export {
  type OpenWarehouses,
  openWarehouses,
  type WarehouseName,
  type WarehousesOptions,
} from './open-warehouses.ts';
export type { BegunStatement, RunningStatement, StatementWatch } from './statement-watch.ts';
