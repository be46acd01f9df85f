/** Returns a progress bar on a terminal, one plain line elsewhere. */
export function progress(title: string, stream: NodeJS.WriteStream = process.stderr) {
  let drawn = false;
  if (!stream.isTTY) stream.write(`${title} …\n`);
  return {
    at(done: number, total: number, what: string): void {
      if (!stream.isTTY) return;
      const width = 24;
      const filled = Math.round((total === 0 ? 1 : done / total) * width);
      stream.write(`\r\x1b[2K${title} [${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${what}`);
      drawn = true;
    },
    end(): void {
      if (drawn) stream.write('\r\x1b[2K');
    },
  };
}
