/**
 * Writes `custom-elements.json`, which editors read, from the JSDoc of the element's class.
 *
 *   npx tsx element/manifest.mjs           writes it
 *   npx tsx element/manifest.mjs --check   fails when it is not up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { staticPropertiesPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/static-properties.js';
import { CHART_MODES } from './src/generated/closed-lists.ts';

const here = (path) => new URL(path, import.meta.url);
const FILE = here('custom-elements.json');

/** Maps each source to the package's module that contains it. */
const MODULES = {
  'src/embed-element.ts': undefined,
  'src/index.ts': 'dist/package/index.js',
  'src/element.ts': 'dist/package/element.js',
};

const ELEMENT = { name: 'ServiceEmbed', module: MODULES['src/element.ts'] };

const modules = Object.keys(MODULES).map((path) =>
  ts.createSourceFile(path, readFileSync(here(path), 'utf8'), ts.ScriptTarget.ES2022, true),
);
// The whole Lit plugin would take every `render` for LitElement's method.
const manifest = create({ modules, plugins: [staticPropertiesPlugin()], context: { dev: false } });

const published = {
  schemaVersion: '2.1.0',
  modules: manifest.modules
    .filter(({ path }) => MODULES[path] !== undefined)
    .map((module) => ({
      kind: module.kind,
      path: MODULES[module.path],
      exports: [
        ...(module.path === 'src/index.ts' ? [definition()] : []),
        ...module.exports
          .filter(({ name }) => name === 'ServiceEmbed')
          .map(({ kind, name }) => ({ kind, name, declaration: ELEMENT })),
      ],
      declarations: module.declarations.filter(({ kind }) => kind === 'class').map(publicPart),
    })),
};

const text = `${JSON.stringify(published, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write('element/custom-elements.json is not up to date: run npx tsx element/manifest.mjs\n');
    process.exit(1);
  }
} else writeFileSync(FILE, text);

/** Declares the element's tag: the analyzer sees only literal calls of `customElements.define`. */
function definition() {
  return { kind: 'custom-element-definition', name: 'service-embed', declaration: ELEMENT };
}

/** Returns the public members of a class, which are those with a description, without null and undefined in their types. */
function publicPart({ members, attributes, superclass: _, ...declaration }) {
  const isPublic = ({ privacy, description, static: isStatic }) =>
    description !== undefined && !isStatic && privacy !== 'private' && privacy !== 'protected';
  const fieldsByAttribute = new Map(members.filter(isPublic).map((member) => [member.attribute, member]));
  return {
    ...declaration,
    attributes: attributes.flatMap(({ name }) => {
      const field = fieldsByAttribute.get(name);
      if (field === undefined) return [];
      const { name: fieldName, type, default: value, description } = field;
      return [
        { name, fieldName, type: nonNullType(type), ...(value === undefined ? {} : { default: value }), description },
      ];
    }),
    members: members
      .filter(isPublic)
      .map(({ privacy: _privacy, inheritedFrom: _from, type, ...member }) =>
        type === undefined ? member : { ...member, type: nonNullType(type) },
      ),
  };
}

function nonNullType(type) {
  const nonNull = type.text.replace(/ \| null \| undefined$/, '');
  return { text: nonNull === 'ChartMode' ? CHART_MODES.map((mode) => `'${mode}'`).join(' | ') : nonNull };
}
