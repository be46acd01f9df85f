/** Linear least squares. A symmetric matrix of n rows is one array of n·n numbers, row after row. */

/**
 * Solves the symmetric positive definite system `matrix · x = right` by Cholesky's decomposition. A vanishing pivot
 * is replaced by a small one, so that dependent regressors share their coefficient instead of failing.
 */
export function solveSymmetric(matrix: Float64Array, right: Float64Array): Float64Array {
  return solveFactored(choleskyFactor(matrix, right.length), right);
}

/** Returns the diagonal of the inverse of a symmetric positive definite matrix of `n` rows. */
export function inverseDiagonal(matrix: Float64Array, n: number): Float64Array {
  const lower = choleskyFactor(matrix, n);
  const unit = new Float64Array(n);
  return new Float64Array(n).map((_, i) => {
    unit.fill(0);
    unit[i] = 1;
    return solveFactored(lower, unit)[i] ?? 0;
  });
}

/** Returns `vectorᵀ · matrix⁻¹ · vector` for each vector, of a symmetric positive definite matrix. */
export function inverseForms(matrix: Float64Array, vectors: readonly Float64Array[]): Float64Array {
  const [first] = vectors;
  if (first === undefined) return new Float64Array(0);
  const lower = choleskyFactor(matrix, first.length);
  return Float64Array.from(vectors, (vector) => {
    const half = vector.slice();
    solveLowerInPlace(lower, half);
    return dot(half, half);
  });
}

function choleskyFactor(matrix: Float64Array, n: number): Float64Array {
  const lower = matrix.slice();
  factorInPlace(lower, n);
  return lower;
}

/** Solves the system in the memory of both arguments: a search for parameters solves some thousand of them. */
export function solveInPlace(matrix: Float64Array, right: Float64Array): void {
  factorInPlace(matrix, right.length);
  solveFactoredInPlace(matrix, right);
}

function factorInPlace(lower: Float64Array, n: number): void {
  let largest = 1e-300;
  for (let i = 0; i < n; i++) largest = Math.max(largest, lower[i * n + i] ?? 0);
  for (let j = 0; j < n; j++) {
    const rowJ = j * n;
    const pivot = (lower[rowJ + j] ?? 0) - productOf(lower, rowJ, lower, rowJ, j);
    const root = Math.sqrt(Math.max(pivot, 1e-13 * largest));
    lower[rowJ + j] = root;
    for (let i = j + 1; i < n; i++) {
      const rowI = i * n;
      lower[rowI + j] = ((lower[rowI + j] ?? 0) - productOf(lower, rowI, lower, rowJ, j)) / root;
    }
  }
}

function solveFactored(lower: Float64Array, right: Float64Array): Float64Array {
  const solution = right.slice();
  solveFactoredInPlace(lower, solution);
  return solution;
}

function solveFactoredInPlace(lower: Float64Array, solution: Float64Array): void {
  const n = solution.length;
  solveLowerInPlace(lower, solution);
  for (let i = n - 1; i >= 0; i--) {
    let sum = solution[i] ?? 0;
    for (let k = i + 1; k < n; k++) sum -= (lower[k * n + i] ?? 0) * (solution[k] ?? 0);
    solution[i] = sum / (lower[i * n + i] ?? 0);
  }
}

function solveLowerInPlace(lower: Float64Array, solution: Float64Array): void {
  const n = solution.length;
  for (let i = 0; i < n; i++) {
    const rest = (solution[i] ?? 0) - productOf(lower, i * n, solution, 0, i);
    solution[i] = rest / (lower[i * n + i] ?? 0);
  }
}

/**
 * Returns the scalar product of `count` numbers from two places on. It keeps four sums, because each addition to one sum
 * waits for the one before.
 */
function productOf(
  left: Float64Array,
  leftFrom: number,
  right: Float64Array,
  rightFrom: number,
  count: number,
): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let k = 0;
  for (; k + 3 < count; k += 4) {
    a += (left[leftFrom + k] ?? 0) * (right[rightFrom + k] ?? 0);
    b += (left[leftFrom + k + 1] ?? 0) * (right[rightFrom + k + 1] ?? 0);
    c += (left[leftFrom + k + 2] ?? 0) * (right[rightFrom + k + 2] ?? 0);
    d += (left[leftFrom + k + 3] ?? 0) * (right[rightFrom + k + 3] ?? 0);
  }
  for (; k < count; k++) a += (left[leftFrom + k] ?? 0) * (right[rightFrom + k] ?? 0);
  return a + b + (c + d);
}

/** Adds up `columnsᵀ·columns`, in `matrix`. */
export function crossProducts(
  columns: readonly Float64Array[],
  matrix: Float64Array = new Float64Array(columns.length * columns.length),
): Float64Array {
  const n = columns.length;
  columns.forEach((column, i) => {
    for (let j = 0; j <= i; j++) {
      const product = dot(column, columns[j] ?? column);
      matrix[i * n + j] = product;
      matrix[j * n + i] = product;
    }
  });
  return matrix;
}

/** Adds up `columnsᵀ·target`. */
export function projections(columns: readonly Float64Array[], target: Float64Array): Float64Array {
  return Float64Array.from(columns, (column) => dot(column, target));
}

/** Returns the sum of the columns of `length` numbers, each times its coefficient. */
export function combination(
  columns: readonly Float64Array[],
  coefficients: Float64Array,
  length = columns[0]?.length ?? 0,
): Float64Array {
  const sum = new Float64Array(length);
  columns.forEach((column, i) => {
    const factor = coefficients[i] ?? 0;
    for (let t = 0; t < sum.length; t++) sum[t] = (sum[t] ?? 0) + factor * (column[t] ?? 0);
  });
  return sum;
}

export function dot(left: Float64Array, right: Float64Array): number {
  return productOf(left, 0, right, 0, left.length);
}
