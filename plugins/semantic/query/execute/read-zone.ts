/** Reads the time zone of a request before its statement is written. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { zoneNamed } from '../../../../router/time-zone.ts';
import type { Model } from '../../model/model.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';

interface ZoneTarget {
  readonly model: Pick<Model, 'time'>;
  readonly warehouse: { readonly dialect: Pick<Dialect, 'readZone'> };
}

/** Reads the zone data of a request, where the dialect of its warehouse needs them to write SQL. */
export async function readZone(
  { timezone }: Pick<SemanticQueryRequest, 'timezone'>,
  { model, warehouse }: ZoneTarget,
): Promise<void> {
  const zone = (timezone === undefined ? undefined : zoneNamed(timezone)) ?? model.time.timezone;
  if (zone !== undefined) await warehouse.dialect.readZone?.(zone);
}
