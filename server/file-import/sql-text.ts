/** Writes names and texts as SQL of DuckDB. */

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
