/** A proposal -> the documents of the datasources that serve it. Pure. */

import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { writeDescriptor } from '../../datasources/index.ts';
import { writeOsi } from '../../semantic/index.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import { renderCubes } from '../render/cube-xml.ts';
import { PUBLISHED_AS, type PublishedAs, semanticName } from './datasource-names.ts';
import type { FirstDocument } from './first-answers.ts';
import { writeMark } from './made-mark.ts';
import { renderSemanticModel } from './merge-models.ts';

/** A datasource that is to be registered. */
export interface PublishedModel {
  readonly as: PublishedAs;
  /** Its connection name, and the stem of its descriptor file. */
  readonly name: string;
  readonly document: { readonly file: string; readonly text: string };
  readonly descriptor: string;
}

export interface PublishOptions {
  readonly as?: readonly PublishedAs[];
  /** The surface that keeps its saved queries with the model and removes them with it: semantic where there is one. */
  readonly documents?: readonly FirstDocument[];
}

/**
 * Returns the models that serve a proposal: its cubes as `<name>`, and one semantic model of all of them as `<name>-model`.
 *
 * @param name letters, digits, hyphens and underscores: it names files, too
 */
export function renderModels(
  proposal: CubeProposal,
  name: string,
  address: WarehouseAddress,
  { as = PUBLISHED_AS, documents = [] }: PublishOptions = {},
): readonly PublishedModel[] {
  const schemaXml = renderCubes(proposal);
  const common = { location: address.jdbcUrl, username: address.username, password: address.password, enabled: 'true' };
  const models: PublishedModel[] = [];
  const converted = as.includes('semantic') ? renderSemanticModel(proposal, name) : undefined;
  if (as.includes('cube')) {
    const file = `${name}.xml`;
    models.push({
      as: 'cube',
      name,
      document: { file, text: schemaXml },
      descriptor: writeMark(
        writeDescriptor({ id: name, name, type: 'OLAP', cubeSchema: file, ...common }),
        schemaXml,
        converted === undefined ? documents : [],
      ),
    });
  }
  if (converted !== undefined) {
    const id = semanticName(name);
    const file = `${id}.yaml`;
    const text = writeOsi(converted);
    const descriptor = writeDescriptor({ id, name: id, type: 'SEMANTIC', semanticYaml: file, ...common });
    const made = writeMark(descriptor, text, documents);
    models.push({ as: 'semantic', name: id, document: { file, text }, descriptor: made });
  }
  return models;
}
