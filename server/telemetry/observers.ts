import type { Activity, Observer } from '../../router/capabilities/observer.ts';

/** Combines several observers; the first one is the outermost. */
export function observers(all: readonly (Observer | undefined)[]): Observer {
  const present = all.filter((each) => each !== undefined);
  return {
    around: (activity: Activity, work) =>
      present.reduceRight((inner, observer) => () => observer.around(activity, inner), work)(),
    ended(activity, result, durationMs) {
      for (const observer of present) observer.ended(activity, result, durationMs);
    },
  };
}
