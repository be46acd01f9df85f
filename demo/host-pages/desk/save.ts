/** Downloads a file to the visitor's computer. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser must have read the file before; revoking at once would be too early.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
