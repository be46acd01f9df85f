const TAG = 'service-embed';

/**
 * Registers the element unless another copy on the page, of whatever version, already has. Does nothing without a DOM.
 */
export function register(element: CustomElementConstructor): void {
  const registry = globalThis.customElements;
  if (registry === undefined || registry.get(TAG) !== undefined) return;
  registry.define(TAG, element);
}
