// Beside the values, which load the library: the dialect is loaded in every process.

/** DECIMAL has 65 digits at most, 30 of them after the point (MySQL manual, 14.24.2): the server would truncate more. */
export const DECIMAL_DIGITS = 65;
export const DECIMAL_SCALE = 30;
