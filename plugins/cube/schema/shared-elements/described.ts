import { elementsOf, firstOf, readElementText, type XmlElement } from '../../../xml/index.ts';
import type { Described } from '../model.ts';
import { flag, required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';

/**
 * Reads the attributes that most elements have. `name` is the default of the name. Without a default, the attribute is
 * required.
 */
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
      readElementText(annotation).text.trim(),
    ]),
  );
}

/** Reports Java classes, which cannot run here. */
export function warnOfClasses(element: XmlElement, problems: Problems): void {
  for (const name of ['formatter', 'memberFormatter', 'memberReaderClass'])
    if (text(element, name) !== undefined)
      problems.warn(element, `"${name}" names a Java class, which cannot run here; it is ignored.`);
}
