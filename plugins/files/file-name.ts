const MAX_NAME_LENGTH = 100;

/** Returns the name of a file with this title, which every file system takes. */
export function fileName(title: string, ending: string): string {
  const name = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a file's name must not contain them.
    .replaceAll(/[\u0000-\u001f<>:"/\\|?*\u007f]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .trim();
  return `${name === '' ? 'export' : name}.${ending}`;
}
