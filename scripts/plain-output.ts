/**
 * Keeps colour codes out of files and pipes: when standard output is no terminal, child processes are asked for plain
 * text. Import it for its effect, before anything else.
 */
if (process.stdout.isTTY !== true) {
  process.env.NO_COLOR = '1';
  // Node warns when both variables are set.
  delete process.env.FORCE_COLOR;
}
