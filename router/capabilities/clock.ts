/** The present, handed in so that tests can set it. Epoch milliseconds. */
export type Clock = () => number;
