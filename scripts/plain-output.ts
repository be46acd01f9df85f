/**
 * Keeps colour codes out of files and pipes: when standard output is no terminal, whatever this process starts is told
 * so. Imported for its effect, before anything else is.
 */
if (process.stdout.isTTY !== true) {
  process.env.NO_COLOR = '1';
  // Node warns of the one where both are set.
  delete process.env.FORCE_COLOR;
}
