/** Hands a file to the visitor. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has the file by then; at once would be too early.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
