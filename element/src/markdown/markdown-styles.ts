/** Styles of a text in Markdown, inside an element of the class `markdown`. */
export const markdownStyles = `
  .markdown { white-space: pre-line; overflow-wrap: anywhere; }
  .markdown > :first-child { margin-block-start: 0; }
  .markdown > :last-child { margin-block-end: 0; }
  .markdown :is(p, ul, ol, pre, blockquote) { margin: 0 0 0.6em; padding: 0; }
  .markdown :is(h2, h3, h4, h5, h6) { margin: 0.8em 0 0.3em; font-size: 1em; line-height: 1.35; font-weight: 600; text-wrap: balance; }
  .markdown > .first { font-size: 1.3em; }
  .markdown > .second { font-size: 1.14em; }
  .markdown :is(ul, ol) { padding-inline-start: 1.4em; list-style: revert; white-space: normal; }
  .markdown li > :is(ul, ol) { margin: 0; }
  .markdown blockquote { padding-inline-start: 0.8em; border-inline-start: 3px solid currentColor; }
  .markdown :is(pre, code) { font-family: ui-monospace, monospace; font-size: 0.92em; }
  .markdown pre { overflow: auto; white-space: pre; }
  .markdown hr { margin: 0.8em 0; border: 0; border-top: 1px solid currentColor; opacity: 0.3; }
  .markdown a { color: inherit; text-decoration: underline; text-underline-offset: 0.18em; }
`;
