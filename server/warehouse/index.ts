export {
  type OpenWarehouses,
  openWarehouses,
  SUPPORTED_PREFIXES,
  type WarehouseName,
  type WarehousesOptions,
} from './registry.ts';
