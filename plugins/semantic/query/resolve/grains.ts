/** Resolves the grains of a request, and the time zone and locale of its dates. */
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { isLocale, zoneNamed, zoneNames } from '../../../../router/time-zone.ts';
import { nearestFirst, type ProblemList } from '../../../query-surface/index.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';
import { grainNames, grainOf, type ResolvedGrain } from '../nodes/grain.ts';

/** Returns the time settings of the request, else of the model. */
export function timeOf(
  { timezone, locale }: SemanticQueryRequest,
  time: TimeSettings,
  problems: ProblemList,
): TimeSettings {
  const zone = timezone === undefined ? undefined : zoneNamed(timezone);
  if (timezone !== undefined && zone === undefined) {
    problems.add(['timezone'], `There is no time zone "${short(timezone)}".`, () =>
      nearestFirst(timezone, zoneNames()),
    );
  }
  if (locale !== undefined && !isLocale(locale)) {
    problems.add(['locale'], `"${short(locale)}" is no language tag such as en-US.`);
  }
  return {
    ...time,
    timezone: zone ?? time.timezone,
    locale: locale !== undefined && isLocale(locale) ? locale : time.locale,
  };
}

/** Finds the grain of a field. A grain that the field does not have is a problem. */
export function findGrain(
  name: string | undefined,
  field: Field | undefined,
  path: RequestPath,
  time: TimeSettings,
  problems: ProblemList,
): ResolvedGrain | undefined {
  if (name === undefined || field === undefined) return undefined;
  const grain = grainOf(name, field, time);
  if (grain === undefined) {
    const grains = grainNames(field.type, time);
    const isGrain = grainNames('timestamp', time).includes(name);
    const message =
      grains.length === 0
        ? `${field.dataset}.${field.name} is no date, and has no grain.`
        : isGrain
          ? `${field.dataset}.${field.name} has no time of day, and no grain "${name}".`
          : `There is no grain "${short(name)}".`;
    problems.add([...path, 'grain'], message, nearestFirst(name, grains));
  }
  return grain;
}
