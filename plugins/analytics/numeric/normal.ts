/**
 * Returns the quantile of the standard normal distribution. Acklam's rational approximation (2003), relative error
 * below 1.2e-9.
 */
export function normalQuantile(probability: number): number {
  if (probability < LOW) return tail(Math.sqrt(-2 * Math.log(probability)));
  if (probability > 1 - LOW) return -tail(Math.sqrt(-2 * Math.log(1 - probability)));
  const q = probability - 0.5;
  const r = q * q;
  return (q * polynomial(A, r)) / (r * polynomial(B, r) + 1);
}

/** Returns the quantile of Student's distribution, by the expansion of Cornish and Fisher (1937) to the second order. */
export function studentQuantile(probability: number, degrees: number): number {
  const z = normalQuantile(probability);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / degrees + second / degrees ** 2;
}

/** Start of the tails. */
const LOW = 0.02425;
const A = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const B = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1];
const C = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416];

function tail(q: number): number {
  return polynomial(C, q) / (q * polynomial(D, q) + 1);
}

/** Evaluates a polynomial by Horner's rule, highest coefficient first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
