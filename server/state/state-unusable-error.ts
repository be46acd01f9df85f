/**
 * The state store cannot be used as configured. Stops the start; the message says what to do and contains no secret.
 */
export class StateUnusableError extends Error {
  override readonly name = 'StateUnusableError';
}
