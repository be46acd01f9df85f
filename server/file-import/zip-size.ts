/** Measures the decompressed size of a zip archive without keeping the data, because its directory may be wrong. */
import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';

/**
 * Returns the decompressed bytes of a zip archive, or the first number beyond `limit`.
 *
 * @throws Error where the archive is broken
 */
export async function unpackedBytes(path: string, limit: number): Promise<number> {
  let bytes = 0;
  let failure: Error | undefined;
  const unzip = new Unzip((entry) => {
    entry.ondata = (error, data) => {
      if (error) failure = error;
      else bytes += data.length;
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of createReadStream(path, { highWaterMark: 65_536 })) {
    unzip.push(chunk as Buffer);
    if (failure !== undefined) throw failure;
    if (bytes > limit) return bytes;
  }
  unzip.push(new Uint8Array(), true);
  if (failure !== undefined) throw failure;
  return bytes;
}
