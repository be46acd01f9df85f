import type { Log } from '../capabilities/log.ts';

/** A log for tests that do not check what is logged. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, hide() {}, child: () => silentLog };
