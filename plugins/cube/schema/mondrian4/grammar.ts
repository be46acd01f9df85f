import { MONDRIAN3 } from '../mondrian3/grammar.ts';
import type { ElementRule, Grammar } from '../xml/grammar.ts';

const NAMED = ['name', 'caption', 'description', 'visible'];
const LEAF = { elements: [] };
const COLUMNS: ElementRule = { attributes: ['name'], elements: ['Column'] };
const ALL_MEMBER = [
  'HasAll',
  'AllMemberName',
  'AllMemberCaption',
  'AllLevelName',
  'DefaultMember',
  'Caption',
  'Visible',
];

/** Elements that Mondrian 4 has unchanged from Mondrian 3. */
const KEPT: Grammar = Object.fromEntries(
  [
    'Annotations',
    'Annotation',
    'Parameter',
    'UserDefinedFunction',
    'Script',
    'MemberFormatter',
    'CellFormatter',
    'PropertyFormatter',
    'MemberReaderParameter',
    'CalculatedMember',
    'CalculatedMemberProperty',
    'Formula',
    'FormatString',
    'NamedSet',
    'Rows',
    'Row',
    'Value',
    'Hint',
    'Role',
    'SchemaGrant',
    'CubeGrant',
    'DimensionGrant',
    'HierarchyGrant',
    'MemberGrant',
    'Union',
    'RoleUsage',
  ].flatMap((name) => {
    const rule = MONDRIAN3[name];
    return rule === undefined ? [] : [[name, rule] as const];
  }),
);

/** Elements and attributes of the Mondrian 4 schema language that the meta-model represents. */
export const MONDRIAN4: Grammar = {
  ...KEPT,
  Schema: {
    attributes: [
      'name',
      'caption',
      'description',
      'measuresCaption',
      'defaultRole',
      'metamodelVersion',
      'quoteSql',
      'missingLink',
    ],
    elements: [
      'Annotations',
      'Parameter',
      'PhysicalSchema',
      'Dimension',
      'Cube',
      'NamedSet',
      'NamedSets',
      'Role',
      'UserDefinedFunction',
    ],
  },

  PhysicalSchema: { attributes: [], elements: ['Table', 'Query', 'InlineTable', 'Link'] },
  Table: { attributes: ['name', 'schema', 'alias', 'keyColumn'], elements: ['Key', 'ColumnDefs', 'Hint'] },
  Query: { attributes: ['name', 'alias', 'keyColumn'], elements: ['Key', 'ColumnDefs', 'ExpressionView'] },
  InlineTable: { attributes: ['name', 'alias', 'keyColumn'], elements: ['Key', 'ColumnDefs', 'Rows'] },
  ColumnDefs: { attributes: [], elements: ['ColumnDef', 'CalculatedColumnDef'] },
  ColumnDef: { attributes: ['name', 'type', 'internalType'], ...LEAF },
  CalculatedColumnDef: { attributes: ['name', 'type', 'internalType'], elements: ['ExpressionView'] },
  ExpressionView: { attributes: [], elements: ['SQL'] },
  SQL: { attributes: ['dialect'], elements: ['Column'], text: true },
  Column: { attributes: ['table', 'name', 'aggColumn'], ...LEAF },
  Key: COLUMNS,
  ForeignKey: COLUMNS,
  Link: { attributes: ['source', 'target', 'key', 'foreignKeyColumn'], elements: ['ForeignKey'] },

  Dimension: {
    attributes: [...NAMED, 'type', 'source', 'table', 'key', 'highCardinality'],
    elements: ['Annotations', 'Attributes', 'Hierarchies'],
  },
  Attributes: { attributes: [], elements: ['Attribute'] },
  Attribute: {
    attributes: [
      ...NAMED,
      'table',
      'keyColumn',
      'nameColumn',
      'captionColumn',
      'orderByColumn',
      'levelType',
      'datatype',
      'approxRowCount',
      'hasHierarchy',
      ...ALL_MEMBER.map((name) => `hierarchy${name}`),
    ],
    elements: ['Annotations', 'Key', 'Name', 'Caption', 'OrderBy', 'Property', 'MemberFormatter'],
  },
  Name: COLUMNS,
  Caption: COLUMNS,
  OrderBy: COLUMNS,
  Property: { attributes: [...NAMED, 'attribute'], elements: ['Annotations', 'PropertyFormatter'] },
  Hierarchies: { attributes: [], elements: ['Hierarchy'] },
  Hierarchy: {
    attributes: [
      ...NAMED,
      'hasAll',
      'allMemberName',
      'allMemberCaption',
      'allLevelName',
      'defaultMember',
      'uniqueKeyLevelName',
      'memberReaderClass',
    ],
    elements: ['Annotations', 'Level', 'MemberReaderParameter'],
  },
  Level: {
    attributes: [...NAMED, 'attribute', 'hideMemberIf', 'parentAttribute', 'nullParentValue', 'formatter'],
    elements: ['Annotations', 'Closure', 'MemberFormatter'],
  },
  Closure: { attributes: ['table', 'parentColumn', 'childColumn', 'distanceColumn'], ...LEAF },

  Cube: {
    attributes: [...NAMED, 'defaultMeasure', 'cache', 'enabled'],
    elements: [
      'Annotations',
      'Dimensions',
      'MeasureGroups',
      'CalculatedMembers',
      'CalculatedMember',
      'NamedSets',
      'NamedSet',
    ],
  },
  Dimensions: { attributes: [], elements: ['Dimension'] },
  CalculatedMembers: { attributes: [], elements: ['CalculatedMember'] },
  NamedSets: { attributes: [], elements: ['NamedSet'] },
  MeasureGroups: { attributes: [], elements: ['MeasureGroup'] },
  MeasureGroup: {
    attributes: ['name', 'caption', 'description', 'table', 'type', 'ignoreUnrelatedDimensions', 'approxRowCount'],
    elements: ['Annotations', 'Measures', 'DimensionLinks'],
  },
  Measures: { attributes: [], elements: ['Measure', 'MeasureRef'] },
  Measure: {
    attributes: [...NAMED, 'aggregator', 'table', 'column', 'datatype', 'formatString', 'formatter'],
    elements: ['Annotations', 'Arguments', 'CalculatedMemberProperty', 'CellFormatter'],
  },
  MeasureRef: { attributes: ['name', 'aggColumn'], ...LEAF },
  Arguments: { attributes: [], elements: ['Column'] },
  DimensionLinks: {
    attributes: [],
    elements: ['ForeignKeyLink', 'FactLink', 'ReferenceLink', 'NoLink', 'CopyLink'],
  },
  ForeignKeyLink: { attributes: ['dimension', 'foreignKeyColumn', 'attribute'], elements: ['ForeignKey'] },
  FactLink: { attributes: ['dimension'], ...LEAF },
  ReferenceLink: { attributes: ['dimension', 'viaDimension', 'viaAttribute', 'attribute'], ...LEAF },
  NoLink: { attributes: ['dimension'], ...LEAF },
  CopyLink: { attributes: ['dimension', 'attribute'], elements: ['Column'] },
};
