import { elementsOf, firstOf, textOf, type XmlElement } from '../../../xml/index.ts';
import type { Described } from '../model.ts';
import { flag, required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';

/** Returns what most elements carry. `name` is for those whose name has a default; without it the attribute must be there. */
export function described(element: XmlElement, problems: Problems, name?: string): Described {
  return {
    name: text(element, 'name') ?? name ?? required(element, 'name', problems),
    caption: text(element, 'caption'),
    description: text(element, 'description'),
    visible: flag(element, 'visible', true, problems),
    annotations: annotationsOf(element, problems),
    line: element.line,
  };
}

/** Reads the annotations of an element. */
export function annotationsOf(element: XmlElement, problems: Problems): ReadonlyMap<string, string> {
  const list = firstOf(element, 'Annotations');
  return new Map(
    (list === undefined ? [] : elementsOf(list, 'Annotation')).map((annotation) => [
      required(annotation, 'name', problems),
      textOf(annotation).text.trim(),
    ]),
  );
}

/** Tells classes of another platform, which cannot run here. */
export function warnOfClasses(element: XmlElement, problems: Problems): void {
  for (const name of ['formatter', 'memberFormatter', 'memberReaderClass'])
    if (text(element, name) !== undefined)
      problems.warn(element, `"${name}" names a Java class, which cannot run here; it is ignored.`);
}
