const TAG = 'service-embed';

/** Registers the element unless another copy, of any version, is registered on the page. Does nothing without a DOM. */
export function register(element: CustomElementConstructor): void {
  const registry = globalThis.customElements;
  if (registry === undefined || registry.get(TAG) !== undefined) return;
  registry.define(TAG, element);
}
