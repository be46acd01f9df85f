import type { TableInfo } from '../../../router/capabilities/warehouse.ts';
import type { Table } from '../schemas.ts';
import type { PersonalColumns } from './marked-columns.ts';

/** Returns the profile of a table without any value of its personal columns; counts stay. */
export function withoutPersonalValues(profile: Table, table: TableInfo, personal: PersonalColumns): Table {
  if (personal.isEmpty) return profile;
  const columns = profile.columns.map((column) => {
    if (!personal.has(table, column.name)) return column;
    const { min: _min, max: _max, notes: _notes, unit: _unit, ...counted } = column;
    return { ...counted, sampleValues: [], personal: true as const };
  });
  return { ...profile, columns };
}
