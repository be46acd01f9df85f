/**
 * What random tests of the MDX engine draw from: a new seed at every run, the same one where `CI` is set. `SEED=n` repeats
 * a run; the names of the tests print it.
 */
export const SEED = Number(process.env.SEED ?? (process.env.CI ? 20_261_121 : Math.floor(Math.random() * 2 ** 31)));
