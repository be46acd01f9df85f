/** The time zone of a request, read before its statement is made. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { zoneNamed } from '../../../../router/time-zone.ts';
import type { Model } from '../../model/model.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';

interface ZoneTarget {
  readonly model: Pick<Model, 'time'>;
  readonly warehouse: { readonly dialect: Pick<Dialect, 'readZone'> };
}

/** Reads the zone of the clocks that answer a request, where its warehouse has none of its own. */
export async function readZone(
  { timezone }: Pick<SemanticQueryRequest, 'timezone'>,
  { model, warehouse }: ZoneTarget,
): Promise<void> {
  const zone = (timezone === undefined ? undefined : zoneNamed(timezone)) ?? model.time.timezone;
  if (zone !== undefined) await warehouse.dialect.readZone?.(zone);
}
