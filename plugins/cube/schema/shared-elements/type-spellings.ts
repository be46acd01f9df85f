import type { DataType, LevelType } from '../model.ts';

/** The spellings of data types. */
export const DATA_TYPES: Readonly<Record<string, DataType>> = {
  String: 'String',
  Numeric: 'Numeric',
  Integer: 'Integer',
  Long: 'Integer',
  Boolean: 'Boolean',
  Date: 'Date',
  Time: 'Time',
  Timestamp: 'Timestamp',
};

export const LEVEL_TYPES: Readonly<Record<string, LevelType>> = {
  Regular: 'Regular',
  TimeYears: 'TimeYears',
  TimeHalfYears: 'TimeHalfYears',
  TimeHalfYear: 'TimeHalfYears',
  TimeQuarters: 'TimeQuarters',
  TimeMonths: 'TimeMonths',
  TimeWeeks: 'TimeWeeks',
  TimeDays: 'TimeDays',
  TimeHours: 'TimeHours',
  TimeMinutes: 'TimeMinutes',
  TimeSeconds: 'TimeSeconds',
  TimeUndefined: 'TimeUndefined',
};

export const HIDE_MEMBER_IF = { Never: 'never', IfBlankName: 'ifBlankName', IfParentsName: 'ifParentsName' } as const;

export const DIMENSION_TYPES = {
  StandardDimension: 'standard',
  TimeDimension: 'time',
  OTHER: 'standard',
  TIME: 'time',
} as const;
