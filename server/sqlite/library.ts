import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/**
 * Names the package that holds better-sqlite3 in the release that this Node can run. Release 13 crashes on Node 20; release 12 aborts the process on
 * Node 24.19 and later when a statement is garbage collected, because Node's ObjectWrap changed under it. So both are optional and one is loaded: npm
 * leaves 13 out where Node is older than its engines say, and 12 may be missing elsewhere, where it is compiled when there is no binary; 13 contains
 * its binaries.
 */
export function sqlitePackage(nodeVersion: string = process.versions.node): string {
  return Number(nodeVersion.split('.')[0]) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';
}

/** Loads better-sqlite3 on first use. */
export function sqliteLibrary(): typeof Database {
  return createRequire(import.meta.url)(sqlitePackage()) as typeof Database;
}
