// Beside the parameters, which load the library: the dialect is loaded in every process.

export const MAX_DECIMAL_DIGITS = 38;
