/** Returns the header that makes a browser save a file, with an ASCII name for callers that know no other (RFC 6266). */
export function dispositionOf(name: string): string {
  const ascii = name.replaceAll(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** An answer that is a file: REST sends its bytes as they are, with a name to save it under. */
export class FileAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly name: string;

  constructor(bytes: Uint8Array, contentType: string, name: string) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.name = name;
  }

  get disposition(): string {
    return dispositionOf(this.name);
  }

  /** Returns the file for transports that carry only JSON. */
  toJSON(): { readonly name: string; readonly contentType: string; readonly base64: string } {
    const { name, contentType, bytes } = this;
    return {
      name,
      contentType,
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    };
  }
}
