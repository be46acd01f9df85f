export { openSignatures } from './open-signatures.ts';
export { signatureSettings } from './read-settings.ts';
