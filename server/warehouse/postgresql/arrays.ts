/** An element is text or null; an array of several dimensions contains arrays. */
export type ArrayItem = string | null | readonly ArrayItem[];

/**
 * Reads an array as the server writes it: `{1,NULL,"a\"b",{…}}`, before it `[0:2]=` where the bounds are unusual
 * (PostgreSQL documentation, 8.15.6). Elements that hold a special character are quoted, so an unquoted NULL is null.
 */
export function parseArray(text: string): readonly ArrayItem[] {
  let at = text.indexOf('{');
  return array();

  function array(): readonly ArrayItem[] {
    const items: ArrayItem[] = [];
    at++; // the opening brace
    while (at < text.length && text[at] !== '}') {
      items.push(text[at] === '{' ? array() : text[at] === '"' ? quoted() : bare());
      if (text[at] === ',') at++;
    }
    at++; // the closing one
    return items;
  }

  function quoted(): string {
    let item = '';
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      item += text[at] ?? '';
    }
    at++;
    return item;
  }

  function bare(): string | null {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++;
    const item = text.slice(start, at);
    return item === 'NULL' ? null : item;
  }
}
