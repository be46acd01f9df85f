import type { Grammar } from '../xml/grammar.ts';

const NAMED = ['name', 'caption', 'description', 'visible'];
const RELATIONS = ['Table', 'View', 'Join', 'InlineTable'];
const EXPRESSION = { attributes: [], elements: ['SQL'] };
const CLASS = { attributes: ['className'], elements: ['Script'] };
const LEAF = { elements: [] };

/** Elements and attributes of the Mondrian 3 schema language. */
export const MONDRIAN3: Grammar = {
  Schema: {
    attributes: ['name', 'caption', 'description', 'measuresCaption', 'defaultRole', 'metamodelVersion', 'quoteSql'],
    elements: [
      'Annotations',
      'Parameter',
      'Dimension',
      'Cube',
      'VirtualCube',
      'NamedSet',
      'Role',
      'UserDefinedFunction',
    ],
  },
  Annotations: { attributes: [], elements: ['Annotation'] },
  Annotation: { attributes: ['name'], elements: [], text: true },
  Parameter: { attributes: ['name', 'description', 'type', 'modifiable', 'defaultValue'], ...LEAF },
  UserDefinedFunction: { attributes: ['name', 'className'], elements: ['Script'] },
  Script: { attributes: ['language'], elements: [], text: true },

  Cube: {
    attributes: [...NAMED, 'defaultMeasure', 'cache', 'enabled'],
    elements: [
      'Annotations',
      ...RELATIONS,
      'Dimension',
      'DimensionUsage',
      'Measure',
      'CalculatedMember',
      'NamedSet',
      'DrillThroughAction',
    ],
  },
  DrillThroughAction: {
    attributes: [...NAMED, 'default'],
    elements: ['Annotations', 'DrillThroughAttribute', 'DrillThroughMeasure'],
  },
  DrillThroughAttribute: { attributes: ['dimension', 'hierarchy', 'level', 'property'], ...LEAF },
  DrillThroughMeasure: { attributes: ['name'], ...LEAF },
  VirtualCube: {
    attributes: [...NAMED, 'defaultMeasure', 'cache', 'enabled'],
    elements: [
      'Annotations',
      'CubeUsages',
      'VirtualCubeDimension',
      'VirtualCubeMeasure',
      'CalculatedMember',
      'NamedSet',
    ],
  },
  CubeUsages: { attributes: [], elements: ['CubeUsage'] },
  CubeUsage: { attributes: ['cubeName', 'ignoreUnrelatedDimensions'], ...LEAF },
  VirtualCubeDimension: {
    attributes: [...NAMED, 'cubeName', 'foreignKey', 'highCardinality'],
    elements: ['Annotations'],
  },
  VirtualCubeMeasure: { attributes: [...NAMED, 'cubeName'], elements: ['Annotations'] },

  Dimension: {
    attributes: [...NAMED, 'type', 'foreignKey', 'highCardinality', 'usagePrefix'],
    elements: ['Annotations', 'Hierarchy'],
  },
  DimensionUsage: {
    attributes: [...NAMED, 'source', 'foreignKey', 'level', 'highCardinality', 'usagePrefix'],
    elements: ['Annotations'],
  },
  Hierarchy: {
    attributes: [
      ...NAMED,
      'hasAll',
      'allMemberName',
      'allMemberCaption',
      'allLevelName',
      'primaryKey',
      'primaryKeyTable',
      'defaultMember',
      'memberReaderClass',
      'uniqueKeyLevelName',
      'displayFolder',
      'origin',
    ],
    elements: ['Annotations', ...RELATIONS, 'Level', 'MemberReaderParameter'],
  },
  MemberReaderParameter: { attributes: ['name', 'value'], ...LEAF },
  Level: {
    attributes: [
      ...NAMED,
      'table',
      'column',
      'nameColumn',
      'captionColumn',
      'ordinalColumn',
      'parentColumn',
      'nullParentValue',
      'type',
      'internalType',
      'uniqueMembers',
      'levelType',
      'hideMemberIf',
      'approxRowCount',
      'formatter',
    ],
    elements: [
      'Annotations',
      'KeyExpression',
      'NameExpression',
      'CaptionExpression',
      'OrdinalExpression',
      'ParentExpression',
      'MemberFormatter',
      'Closure',
      'Property',
    ],
  },
  KeyExpression: EXPRESSION,
  NameExpression: EXPRESSION,
  CaptionExpression: EXPRESSION,
  OrdinalExpression: EXPRESSION,
  ParentExpression: EXPRESSION,
  MeasureExpression: EXPRESSION,
  MemberFormatter: CLASS,
  PropertyFormatter: CLASS,
  CellFormatter: CLASS,
  Closure: { attributes: ['parentColumn', 'childColumn'], elements: RELATIONS },
  Property: {
    attributes: [...NAMED, 'column', 'type', 'formatter', 'dependsOnLevelValue'],
    elements: ['Annotations', 'PropertyFormatter'],
  },

  Measure: {
    attributes: [...NAMED, 'aggregator', 'column', 'datatype', 'formatString', 'formatter'],
    elements: ['Annotations', 'MeasureExpression', 'CalculatedMemberProperty', 'CellFormatter'],
  },
  CalculatedMember: {
    attributes: [...NAMED, 'dimension', 'hierarchy', 'parent', 'formula', 'formatString'],
    elements: ['Annotations', 'Formula', 'FormatString', 'CalculatedMemberProperty', 'CellFormatter'],
  },
  CalculatedMemberProperty: { attributes: ['name', 'caption', 'description', 'value', 'expression'], ...LEAF },
  Formula: { attributes: [], elements: [], text: true },
  FormatString: { attributes: [], elements: [], text: true },
  NamedSet: { attributes: [...NAMED, 'formula'], elements: ['Annotations', 'Formula'] },

  Table: { attributes: ['name', 'schema', 'alias'], elements: ['SQL', 'Hint', 'AggExclude', 'AggName', 'AggPattern'] },
  View: { attributes: ['alias'], elements: ['SQL'] },
  SQL: { attributes: ['dialect'], elements: [], text: true },
  Join: { attributes: ['leftAlias', 'leftKey', 'rightAlias', 'rightKey'], elements: RELATIONS },
  InlineTable: { attributes: ['alias'], elements: ['ColumnDefs', 'Rows'] },
  ColumnDefs: { attributes: [], elements: ['ColumnDef'] },
  ColumnDef: { attributes: ['name', 'type'], ...LEAF },
  Rows: { attributes: [], elements: ['Row'] },
  Row: { attributes: [], elements: ['Value'] },
  Value: { attributes: ['column'], elements: [], text: true },
  Hint: { attributes: ['type'], elements: [], text: true },

  // Aggregate tables make other engines faster and change no answer. They are accepted and ignored.
  AggExclude: { attributes: ['name', 'pattern', 'ignorecase'], ...LEAF },
  AggName: { attributes: ['name', 'ignorecase', 'approxRowCount'], elements: aggregateElements() },
  AggPattern: { attributes: ['pattern', 'ignorecase'], elements: [...aggregateElements(), 'AggExclude'] },
  AggFactCount: { attributes: ['column', 'factColumn'], ...LEAF },
  AggMeasureFactCount: { attributes: ['column', 'factColumn'], ...LEAF },
  AggIgnoreColumn: { attributes: ['column'], ...LEAF },
  AggForeignKey: { attributes: ['factColumn', 'aggColumn'], ...LEAF },
  AggMeasure: { attributes: ['name', 'column', 'rollupType'], ...LEAF },
  AggLevel: {
    attributes: ['name', 'column', 'collapsed', 'nameColumn', 'captionColumn', 'ordinalColumn'],
    elements: ['AggLevelProperty'],
  },
  AggLevelProperty: { attributes: ['name', 'column'], ...LEAF },

  Role: { attributes: ['name'], elements: ['Annotations', 'SchemaGrant', 'Union'] },
  SchemaGrant: { attributes: ['access'], elements: ['CubeGrant'] },
  CubeGrant: { attributes: ['cube', 'access'], elements: ['DimensionGrant', 'HierarchyGrant'] },
  DimensionGrant: { attributes: ['dimension', 'access'], ...LEAF },
  HierarchyGrant: {
    attributes: ['hierarchy', 'access', 'topLevel', 'bottomLevel', 'rollupPolicy'],
    elements: ['MemberGrant'],
  },
  MemberGrant: { attributes: ['member', 'access'], ...LEAF },
  Union: { attributes: [], elements: ['RoleUsage'] },
  RoleUsage: { attributes: ['roleName'], ...LEAF },
};

function aggregateElements(): readonly string[] {
  return ['AggFactCount', 'AggMeasureFactCount', 'AggIgnoreColumn', 'AggForeignKey', 'AggMeasure', 'AggLevel'];
}
