/** Texts in workbooks that are names of members of every object, such as `constructor`. */
/**
 * What stands in the place of such texts: the writer of workbooks looks them up in a plain object (version 4.1.1). No
 * program opens the file.
 */
const MEMBERS = Object.getOwnPropertyNames(Object.prototype).map(
  (name) => [`t="s"><v>${String(Reflect.get({}, name))}</v>`, `t="inlineStr"><is><t>${name}</t></is>`] as const,
);

/** Writes these texts into their cells. */
export const OBJECT_NAMES = {
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: (xml: string): string =>
          MEMBERS.reduce((text, [wrong, right]) => text.replaceAll(wrong, right), xml),
      },
    },
  },
};
