/** Returns the current time in epoch milliseconds. It is a parameter, so that tests can set it. */
export type Clock = () => number;
