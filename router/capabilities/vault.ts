/** Stores secrets that must be read again, such as passwords of warehouses. They are always encrypted at rest. */
export interface Vault {
  /** Encrypts a text. `context` names its owner; the text decrypts only with the same context. */
  seal(text: string, context: string): string;
  /** Decrypts the result of `seal`; `undefined` where the key or the context differs, or the text was changed. */
  open(sealed: string, context: string): string | undefined;
}
