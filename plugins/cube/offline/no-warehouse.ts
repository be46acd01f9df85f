import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';

function refuse(): never {
  throw new InternalError('a schema that is checked without data asked its warehouse');
}

/** The warehouse of a schema that is checked without data. Every call is a bug. */
export const NO_WAREHOUSE: Warehouse = {
  get dialect() {
    return refuse();
  },
  ping: refuse,
  query: refuse,
  stream: refuse,
  tables: refuse,
  columns: refuse,
  missingPlace: refuse,
  columnsByName: refuse,
  columnsOf: refuse,
  catalogStatistics: refuse,
  declaredKeys: refuse,
  rowEstimates: refuse,
  dataVersion: refuse,
  close: refuse,
};
