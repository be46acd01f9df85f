import { at } from './statistics.ts';

/**
 * Solves the symmetric positive definite system `matrix · x = right` by Cholesky's decomposition. A pivot that vanishes
 * is held up, so that regressors which depend on one another share their coefficient instead of failing.
 */
export function solveSymmetric(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const lower = matrix.map((row) => row.slice());
  const largest = Math.max(1e-300, ...matrix.map((row, i) => row[i] ?? 0));
  for (let j = 0; j < n; j++) {
    const rowJ = lower[j] ?? right;
    let pivot = rowJ[j] ?? 0;
    for (let k = 0; k < j; k++) pivot -= (rowJ[k] ?? 0) ** 2;
    const root = Math.sqrt(Math.max(pivot, 1e-13 * largest));
    rowJ[j] = root;
    for (let i = j + 1; i < n; i++) {
      const rowI = lower[i] ?? right;
      let sum = rowI[j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (rowI[k] ?? 0) * (rowJ[k] ?? 0);
      rowI[j] = sum / root;
    }
  }
  const solution = right.slice();
  for (let i = 0; i < n; i++) {
    const row = lower[i] ?? right;
    let sum = solution[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (row[k] ?? 0) * (solution[k] ?? 0);
    solution[i] = sum / (row[i] ?? 0);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = solution[i] ?? 0;
    for (let k = i + 1; k < n; k++) sum -= at(lower[k] ?? right, i) * (solution[k] ?? 0);
    solution[i] = sum / at(lower[i] ?? right, i);
  }
  return solution;
}

/** Adds up `columnsᵀ·columns` and `columnsᵀ·target`. */
export function normalEquations(columns: readonly Float64Array[], target: Float64Array) {
  const matrix = columns.map(() => new Float64Array(columns.length));
  const right = new Float64Array(columns.length);
  columns.forEach((column, i) => {
    right[i] = dot(column, target);
    for (let j = 0; j <= i; j++) {
      const product = dot(column, columns[j] ?? column);
      (matrix[i] ?? right)[j] = product;
      (matrix[j] ?? right)[i] = product;
    }
  });
  return { matrix, right };
}

export function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum;
}
