import { Worker } from 'node:worker_threads';

/** Starts a thread. @param module a source file (in tests) or a built one */
export function workerOf(module: URL): Worker {
  return module.pathname.endsWith('.ts') ? new Worker(fromSource(module), { eval: true }) : new Worker(module);
}

/** Writes a program that loads tsx in the thread first: Node 20 ignores `--import` for threads. */
function fromSource(module: URL): string {
  return `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(module.href)}); });`;
}
