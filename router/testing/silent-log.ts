import type { Log } from '../capabilities/log.ts';

/** A log for tests that do not ask what was logged. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, hide() {}, child: () => silentLog };
