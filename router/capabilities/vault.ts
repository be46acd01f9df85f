/** Keeps secrets that must be read again, such as passwords of warehouses: encrypted, never in clear at rest. */
export interface Vault {
  /** Encrypts a text. `context` names what it belongs to; it opens under no other. */
  seal(text: string, context: string): string;
  /** Decrypts what `seal` gave; `undefined` where the key or the context is another one, or the text was changed. */
  open(sealed: string, context: string): string | undefined;
}
