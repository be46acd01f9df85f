import type { Answer } from '../api/parse-answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { addThinning, lacksThinning } from './axes-chart/thinning.ts';
import { defineMode } from './modes/all-modes.ts';
import type { KindPart, Planner } from './modes/definition.ts';
import type { Plan } from './plan.ts';
import { addReferences, hasReferences } from './references.ts';
import type { ChartSpec } from './spec.ts';

const planners = new Map<ChartMode, Planner>();
/** Names of the maps that are loaded. */
const maps = new Set<string>();
const plans = new WeakMap<ChartSpec, Plan>();

/** Adds the kinds of a part that is loaded. */
export function addKinds(part: KindPart): void {
  for (const [mode, planner] of Object.entries(part.plans)) planners.set(mode as ChartMode, planner);
}

/** Returns whether a chart can be drawn now. */
export function isKindLoaded(mode: ChartMode, settings: ChartSettings, answer: Answer): boolean {
  return (
    findPlanner(mode) !== undefined &&
    !lacksThinning(answer) &&
    (hasReferences() || !needsReferences(settings)) &&
    (mode !== 'map' || settings.regions === undefined || maps.has(settings.regions))
  );
}

/** Loads what a chart needs besides lines and bars. A map comes from the service, whose address is `server`. */
export async function loadKind(
  mode: ChartMode,
  settings: ChartSettings,
  answer: Answer,
  server: string,
): Promise<void> {
  const { regions } = settings;
  if (mode === 'map' && regions !== undefined && !maps.has(regions)) {
    const address = new URL(
      `ui/maps/${encodeURIComponent(regions)}.json`,
      `${new URL(server, document.baseURI).href.replace(/\/*$/, '')}/`,
    );
    const [{ addMap }, response] = await Promise.all([
      import('./modes/map.ts'),
      fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' }),
    ]);
    if (!response.ok) throw new Error(`There is no map "${regions}".`);
    addMap(regions, await response.json());
    maps.add(regions);
  }
  const { draws } = defineMode(mode);
  if (typeof draws !== 'function' && !planners.has(mode)) addKinds(await draws.load());
  if (needsReferences(settings) && !hasReferences()) addReferences(await import('./modes/reference-marks.ts'));
  if (lacksThinning(answer)) addThinning(await import('./axes-chart/thin-lines.ts'));
}

function needsReferences({ references }: ChartSettings): boolean {
  return references !== undefined && references.length > 0;
}

function findPlanner(mode: ChartMode): Planner | undefined {
  const { draws } = defineMode(mode);
  return typeof draws === 'function' ? draws : planners.get(mode);
}

/** Plans a chart whose kind is loaded. The same object gives the same plan. */
export function planChart(spec: ChartSpec): Plan {
  const plan = plans.get(spec) ?? findPlanner(spec.mode)?.(spec);
  if (plan === undefined) throw new Error(`The kind ${spec.mode} is not loaded.`);
  plans.set(spec, plan);
  return plan;
}
