/** Probability that counts drawn evenly would be at least as uneven as these (Pearson's chi-square). */
export function chiSquareP(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return chiSquareTail(statistic, counts.length - 1);
}

/** Upper tail of the chi-square distribution: exact for even degrees of freedom, good to 1e-7 of its value for odd ones. */
export function chiSquareTail(statistic: number, degrees: number): number {
  const x = statistic / 2;
  const isEven = degrees % 2 === 0;
  let tail = isEven ? Math.exp(-x) : erfc(Math.sqrt(x));
  let a = isEven ? 1 : 0.5;
  let term = isEven ? x * Math.exp(-x) : (2 * Math.sqrt(x) * Math.exp(-x)) / Math.sqrt(Math.PI);
  for (; a < degrees / 2; a += 1) {
    tail += term;
    term *= x / (a + 1);
  }
  return tail;
}

/** Complementary error function for x >= 0. Source: Press et al., Numerical Recipes, the Chebyshev fit `erfcc`. */
function erfc(x: number): number {
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
  ];
  const t = 1 / (1 + x / 2);
  const sum = coefficients.reduceRight((acc, coefficient) => acc * t + coefficient, 0);
  return t * Math.exp(-x * x + sum);
}
