import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { firstOf, readXml, type XmlElement } from '../../xml/index.ts';
import { checkSchema } from './check/check-schema.ts';
import { withDefaultMeasures } from './check/default-measure.ts';
import { withoutDuplicates } from './check/duplicates.ts';
import { freeze } from './freeze.ts';
import type { Schema } from './model.ts';
import { MONDRIAN3 } from './mondrian3/grammar.ts';
import { readMondrian3 } from './mondrian3/schema.ts';
import { MONDRIAN4 } from './mondrian4/grammar.ts';
import { readMondrian4 } from './mondrian4/schema.ts';
import { text } from './xml/attributes.ts';
import { checkGrammar } from './xml/grammar.ts';
import { Problems } from './xml/problems.ts';

export interface SchemaReading {
  /** `undefined` if a problem is an error: a schema is served whole or not at all. */
  readonly schema: Schema | undefined;
  /** The problems in the order of the document. Their messages quote the schema and are for administrators. */
  readonly problems: readonly DatasourceProblem[];
}

/**
 * Reads the XML text of a cube schema, in the language of Mondrian 3 or Mondrian 4. Checks everything that does not
 * need the warehouse.
 */
export function readSchema(source: string): SchemaReading {
  const problems = new Problems();
  const root = readXml(source, MAX_ELEMENT_DEPTH);
  if ('refused' in root) {
    problems.error(root, root.message);
    return { schema: undefined, problems: problems.all };
  }
  if (root.name !== 'Schema') {
    problems.error(root, `The root element of a cube schema is <Schema>, not <${root.name}>.`);
    return { schema: undefined, problems: problems.all };
  }
  const fourth = isMondrian4(root);
  checkGrammar(root, fourth ? MONDRIAN4 : MONDRIAN3, problems);
  const written = fourth ? readMondrian4(root, problems) : readMondrian3(root, problems);
  const schema = withDefaultMeasures(withoutDuplicates(written, problems), problems);
  checkSchema(schema, problems);
  return { schema: problems.fatal ? undefined : freeze(schema), problems: problems.all };
}

/** Maximum nesting of elements. No schema needs more, and all code that reads the tree is recursive. */
const MAX_ELEMENT_DEPTH = 100;

function isMondrian4(root: XmlElement): boolean {
  return firstOf(root, 'PhysicalSchema') !== undefined || /^\s*4/.test(text(root, 'metamodelVersion') ?? '');
}
