export { InvalidAddressError } from './jdbc-url.ts';
export { DIALECTS, type OpenWarehouses, openWarehouses, type WarehousesOptions } from './registry.ts';
