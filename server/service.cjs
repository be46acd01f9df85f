#!/usr/bin/env node
'use strict';
// The way in, `dist/service.js`. libuv reads the size of its thread pool at the pool's first use, so it is set before
// anything is loaded. DuckDB's queries, file reads and password hashes share that pool; with Node's default of 4 a
// health check waits behind four queries.
process.env.UV_THREADPOOL_SIZE ||= '16';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`service needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
// The threads of V8, which collect the garbage of the thread of the requests: `server/fair-share/requests-first.ts`.
try {
  globalThis[Symbol.for('service.firstThreads')] = require('node:fs').readdirSync('/proc/self/task');
} catch {
  // Only Linux lists threads there, and only where /proc is mounted.
}
const { homeOf, useCompiledCode } = require('./compiled-code.cjs');
globalThis[Symbol.for('service.keepCompiledCode')] = useCompiledCode(`${homeOf(process.argv)}/data/compiled-code`);
require('./server/main.cjs');
