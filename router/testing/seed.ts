/**
 * The seed of random tests. Each run has a new seed, so that runs cover more together; where `CI` is set the seed is constant, so that a result
 * depends on the commit alone. `SEED=n` repeats a run; the titles of the tests print the seed.
 */
export const SEED = Number(process.env.SEED ?? (process.env.CI ? 20_261_121 : Math.floor(Math.random() * 2 ** 31)));
