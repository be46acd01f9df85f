/**
 * What random tests draw from: a new seed at every run, so that runs add up, but the same one where `CI` is set, so that
 * a commit is judged by what it changes. `SEED=n` repeats a run; the names of the tests print it.
 */
export const SEED = Number(process.env.SEED ?? (process.env.CI ? 20_261_121 : Math.floor(Math.random() * 2 ** 31)));
