export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

interface Vertex {
  point: Float64Array;
  value: number;
}

/**
 * Minimises a function without derivatives: Nelder and Mead (1965) with the coefficients of Lagarias et al. (1998). A
 * point where the function is not finite counts as infinitely bad, so that constraints can be expressed that way. The
 * point passed to the function is overwritten later: a fit calls it some thousand times, and no call allocates.
 */
export function nelderMead(
  objective: (point: Float64Array) => number,
  start: readonly number[],
  { step = 0.1, tolerance = 1e-5, maxEvaluations = 60 * start.length + 60 } = {},
): Minimum {
  const size = start.length;
  let evaluations = 0;
  const evaluate = (vertex: Vertex): void => {
    evaluations += 1;
    const value = objective(vertex.point);
    vertex.value = Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
  };
  const simplex = Array.from({ length: size + 1 }, (_, i): Vertex => {
    const vertex = { point: Float64Array.from(start), value: 0 };
    if (i > 0) vertex.point[i - 1] = (start[i - 1] ?? 0) + step;
    evaluate(vertex);
    return vertex;
  });
  const [first] = simplex;
  if (first === undefined || size === 0) return { point: new Float64Array(0), value: first?.value ?? 0 };
  const centroid = new Float64Array(size);
  let reflected: Vertex = { point: new Float64Array(size), value: 0 };
  let other: Vertex = { point: new Float64Array(size), value: 0 };
  const moveTo = (vertex: Vertex, factor: number, worst: Vertex): void => {
    for (let j = 0; j < size; j++) {
      const center = centroid[j] ?? 0;
      vertex.point[j] = center + factor * ((worst.point[j] ?? 0) - center);
    }
    evaluate(vertex);
  };

  while (evaluations < maxEvaluations) {
    sortByValue(simplex);
    const best = simplex[0] ?? first;
    const worst = simplex[size] ?? first;
    const secondWorst = simplex[size - 1] ?? best;
    if (worst.value - best.value <= tolerance * (Math.abs(best.value) + tolerance)) break;
    for (let j = 0; j < size; j++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += simplex[i]?.point[j] ?? 0;
      centroid[j] = sum / size;
    }
    moveTo(reflected, -1, worst);
    if (reflected.value < best.value) {
      moveTo(other, -2, worst);
      if (other.value < reflected.value) {
        simplex[size] = other;
        other = worst;
      } else {
        simplex[size] = reflected;
        reflected = worst;
      }
    } else if (reflected.value < secondWorst.value) {
      simplex[size] = reflected;
      reflected = worst;
    } else {
      moveTo(other, reflected.value < worst.value ? -0.5 : 0.5, worst);
      if (other.value < Math.min(reflected.value, worst.value)) {
        simplex[size] = other;
        other = worst;
      } else {
        for (let i = 1; i <= size; i++) {
          const vertex = simplex[i] ?? best;
          for (let j = 0; j < size; j++) {
            const center = best.point[j] ?? 0;
            vertex.point[j] = center + 0.5 * ((vertex.point[j] ?? 0) - center);
          }
          evaluate(vertex);
        }
      }
    }
  }
  return simplex.reduce((best, vertex) => (vertex.value < best.value ? vertex : best));
}

/** Sorts ascending by insertion: all elements but one are already in order. */
function sortByValue(simplex: Vertex[]): void {
  for (let i = 1; i < simplex.length; i++) {
    const vertex = simplex[i];
    if (vertex === undefined) return;
    let j = i - 1;
    for (let before = simplex[j]; before !== undefined && before.value > vertex.value; before = simplex[j]) {
      simplex[j + 1] = before;
      j -= 1;
    }
    simplex[j + 1] = vertex;
  }
}
