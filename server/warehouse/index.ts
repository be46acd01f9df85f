export {
  type OpenWarehouses,
  openWarehouses,
  type WarehouseName,
  type WarehousesOptions,
} from './open-warehouses.ts';
