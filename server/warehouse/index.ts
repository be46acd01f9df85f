export {
  type OpenWarehouses,
  openWarehouses,
  type WarehouseName,
  type WarehousesOptions,
} from './registry.ts';
