export interface Minimum {
  readonly point: readonly number[];
  readonly value: number;
}

/**
 * Minimises a function without derivatives: Nelder and Mead (1965) with the coefficients of Lagarias et al. (1998).
 * A point where the function is not finite counts as infinitely bad, so that constraints may be given that way.
 */
export function nelderMead(
  objective: (point: readonly number[]) => number,
  start: readonly number[],
  { step = 0.1, tolerance = 1e-5, maxEvaluations = 60 * start.length + 60 } = {},
): Minimum {
  const size = start.length;
  let evaluations = 0;
  const vertexAt = (point: readonly number[]): Minimum => {
    evaluations += 1;
    const value = objective(point);
    return { point, value: Number.isFinite(value) ? value : Number.POSITIVE_INFINITY };
  };
  const first = vertexAt(start);
  if (size === 0) return first;
  const simplex = [first, ...start.map((_, i) => vertexAt(start.map((x, j) => (i === j ? x + step : x))))];

  while (evaluations < maxEvaluations) {
    simplex.sort((left, right) => left.value - right.value);
    const best = simplex[0] ?? first;
    const worst = simplex[size] ?? first;
    const secondWorst = simplex[size - 1] ?? best;
    if (worst.value - best.value <= tolerance * (Math.abs(best.value) + tolerance)) break;
    const centroid = start.map(
      (_, j) => simplex.slice(0, size).reduce((sum, { point }) => sum + (point[j] ?? 0), 0) / size,
    );
    const towards = (factor: number) => vertexAt(centroid.map((c, j) => c + factor * ((worst.point[j] ?? 0) - c)));
    const reflected = towards(-1);
    if (reflected.value < best.value) {
      const expanded = towards(-2);
      simplex[size] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < secondWorst.value) {
      simplex[size] = reflected;
    } else {
      const contracted = towards(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < Math.min(reflected.value, worst.value)) simplex[size] = contracted;
      else {
        for (let i = 1; i <= size; i++) {
          const { point } = simplex[i] ?? best;
          simplex[i] = vertexAt(point.map((x, j) => (best.point[j] ?? 0) + 0.5 * (x - (best.point[j] ?? 0))));
        }
      }
    }
  }
  return simplex.reduce((best, vertex) => (vertex.value < best.value ? vertex : best), first);
}
