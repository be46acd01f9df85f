'use strict';
/**
 * Keeps the compiled code of CommonJS files between starts: to compile the 6 MB of a start takes a quarter of its time. Node does this itself since
 * 22.1; this file is for older ones and goes with them. The libraries for it (v8-compile-cache and its forks) keep no function that is compiled after
 * its file was loaded, and refuse a file that is an ES module.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync } = require('node:fs');
const { rename, rm, writeFile } = require('node:fs/promises');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { setImmediate: nextTurn } = require('node:timers/promises');
const { Script } = require('node:vm');

const HASH_BYTES = 32;
const LENGTH_BYTES = 4;

/** Returns the home folder of a command line, before its options are read. */
exports.homeOf = (argv) => {
  const at = argv.indexOf('--home');
  if (at > 0 && argv[at + 1] !== undefined) return argv[at + 1];
  const option = argv.find((argument) => argument.startsWith('--home='));
  return option?.slice('--home='.length) ?? (process.env.SERVICE_HOME || './service-home');
};

/**
 * Uses the code that `folder` keeps for the files that this process loads from now on. Its parent is never made.
 *
 * @param {string} folder
 * @returns {() => Promise<void>} a function that keeps the code of the files loaded so far, where some of it is not kept yet
 */
exports.useCompiledCode = (folder) => {
  if (Module.enableCompileCache !== undefined) {
    if (existsSync(dirname(folder))) Module.enableCompileCache(folder);
    return async () => Module.flushCompileCache?.();
  }
  // Nodes of several kinds may share a home.
  const file = join(folder, `${process.version}-${process.arch}`);
  const kept = read(file);
  /** @type {Map<string, Script>} */
  const scripts = new Map();
  let isComplete = true;
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, format) {
    // Kept code cannot call import(). Our own files are built without it.
    if (format === 'module' || (!filename.startsWith(__dirname) && content.includes('import(')))
      return compile.call(this, content, filename, format);
    const key = hashOf(content).toString('base64');
    const cachedData = kept.get(key);
    let script;
    try {
      script = new Script(Module.wrap(content.replace(/^#!.*/, '')), { filename, cachedData });
    } catch {
      // An ES module, or a mistake that Node explains better.
      return compile.call(this, content, filename, format);
    }
    if (cachedData === undefined || script.cachedDataRejected) isComplete = false;
    scripts.set(key, script);
    const directory = dirname(filename);
    return script.runInThisContext().call(this.exports, this.exports, requireOf(this), this, filename, directory);
  };
  const keep = async () => {
    if (isComplete) return;
    isComplete = true;
    try {
      await write(file, scripts, kept);
    } catch {
      // A disk without space, or a folder that is read only: the next start compiles again.
    }
  };
  // One after the other: a process that stops waits for what is being written.
  let writing = Promise.resolve();
  return () => {
    writing = writing.then(keep);
    return writing;
  };
};

/** Makes a module's `require`. Node's own function for it is internal. */
function requireOf(module) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

/** Reads the code of each file by the hash of its content: nothing where the file is missing or damaged, which V8 would not notice. */
function read(file) {
  const kept = new Map();
  try {
    const bytes = readFileSync(file);
    const body = bytes.subarray(HASH_BYTES);
    if (!hashOf(body).equals(bytes.subarray(0, HASH_BYTES))) return kept;
    let start = LENGTH_BYTES + body.readUInt32LE(0);
    for (const [key, length] of JSON.parse(body.toString('utf8', LENGTH_BYTES, start))) {
      kept.set(key, body.subarray(start, start + length));
      start += length;
    }
  } catch {
    kept.clear();
  }
  return kept;
}

async function write(file, scripts, kept) {
  const codes = new Map();
  // Files that this process did not load stay, unless the first of all files, which names others by their content, is another one.
  const [first] = scripts.keys();
  if (kept.has(first)) for (const [key, code] of kept) codes.set(key, code);
  for (const [key, script] of scripts) {
    // A large file takes milliseconds: each has a turn of its own.
    await nextTurn();
    codes.set(key, script.createCachedData());
  }
  const index = [...codes].map(([key, { length }]) => [key, length]);
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  const body = Buffer.concat([length, head, ...codes.values()]);
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, Buffer.concat([hashOf(body), body]), { mode: 0o600 });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function hashOf(content) {
  return createHash('sha256').update(content).digest();
}
