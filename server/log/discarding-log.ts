import type { Log } from '../../router/capabilities/log.ts';

/** Discards messages that reading an address again would repeat. */
export const UNHEARD: Log = { debug() {}, info() {}, warn() {}, error() {}, hide() {}, child: () => UNHEARD };
