import { elementsOf, firstOf, readElementText, type XmlElement } from '../../../xml/index.ts';
import { MAX_SCRIPT_LENGTH } from '../../scripts/limits.ts';
import type { Script, ScriptKind } from '../../scripts/script.ts';
import { refuseDuplicates } from '../check/duplicates.ts';
import type { ScriptFunction } from '../model.ts';
import { text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { described } from './described.ts';

/** The formatters of the schema languages: their elements, with the kinds of their scripts. */
const FORMATTERS = {
  CellFormatter: 'cell formatter',
  MemberFormatter: 'member formatter',
  PropertyFormatter: 'property formatter',
} as const satisfies Readonly<Record<string, ScriptKind>>;

/** Reads the script of a formatter in an element; `undefined` if there is none that can run. */
export function formatterOf(
  element: XmlElement,
  name: keyof typeof FORMATTERS,
  problems: Problems,
): Script | undefined {
  const formatter = firstOf(element, name);
  return formatter === undefined ? undefined : scriptIn(formatter, FORMATTERS[name], `<${name}>`, problems);
}

/**
 * Reads the functions of a schema whose scripts can run here. Two functions with one name are refused, because a call
 * could mean either.
 */
export function scriptFunctions(root: XmlElement, problems: Problems): readonly ScriptFunction[] {
  const functions = elementsOf(root, 'UserDefinedFunction').map((element) => ({
    ...described(element, problems),
    script: functionScript(element, problems),
  }));
  refuseDuplicates('functions', functions, problems, (name) => name.toUpperCase());
  return functions.flatMap(({ script, ...rest }) => (script === undefined ? [] : [{ ...rest, script }]));
}

function functionScript(element: XmlElement, problems: Problems): Script | undefined {
  return scriptIn(element, 'function', `The function "${text(element, 'name') ?? ''}"`, problems);
}

/** Reads the `<Script>` inside an element. Scripts in other languages are reported and left out. */
function scriptIn(element: XmlElement, kind: ScriptKind, what: string, problems: Problems): Script | undefined {
  const script = firstOf(element, 'Script');
  const className = text(element, 'className');
  if ((className === undefined) === (script === undefined)) {
    const both = script === undefined ? 'needs' : 'has either';
    problems.error(element, `${what} ${both} "className" or a <Script>${script === undefined ? '' : ', not both'}.`);
    return undefined;
  }
  if (script === undefined) {
    problems.warn(element, `${what} is a Java class, which cannot run here; it is ignored.`);
    return undefined;
  }
  const language = text(script, 'language') ?? 'JavaScript';
  if (language.toLowerCase() !== 'javascript') {
    problems.warn(script, `${what} is a script in ${language}; only JavaScript runs here. It is ignored.`);
    return undefined;
  }
  const source = readElementText(script).text;
  if (source.length > MAX_SCRIPT_LENGTH)
    problems.error(script, `A <Script> has at most ${MAX_SCRIPT_LENGTH.toLocaleString('en-US')} characters.`);
  return { kind, source };
}
