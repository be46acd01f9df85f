export {
  type OpenWarehouses,
  openWarehouses,
  SUPPORTED_PREFIXES,
  type WarehousesOptions,
} from './registry.ts';
