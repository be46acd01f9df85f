import type { Log } from '../../router/capabilities/log.ts';

/** Takes what reading an address again would say a second time. */
export const UNHEARD: Log = { debug() {}, info() {}, warn() {}, error() {}, hide() {}, child: () => UNHEARD };
