/** The state store cannot be used as configured. Stops the start; the message explains what to do and contains no secret. */
export class StateUnusableError extends Error {
  override readonly name = 'StateUnusableError';
}
