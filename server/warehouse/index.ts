export { InvalidAddressError } from './jdbc-url.ts';
export {
  DIALECTS,
  type OpenWarehouses,
  openWarehouses,
  SUPPORTED_PREFIXES,
  type WarehousesOptions,
} from './registry.ts';
