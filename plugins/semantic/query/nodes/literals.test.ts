import { describe, expect, it } from 'vitest';
import { literal } from './literals.ts';

describe('a value of a filter', () => {
  it('is a number where the field is one, whatever its quotes', () => {
    expect(literal('10', 'integer')).toEqual({ type: 'integer', value: 10 });
    expect(literal(10, 'integer')).toEqual({ type: 'integer', value: 10 });
    expect(literal('9007199254740993', 'integer')).toEqual({ type: 'integer', value: 9007199254740993n });
    expect(literal('99999999999999999999', 'integer')).toEqual({ type: 'decimal', value: '99999999999999999999' });
    expect(literal('1.10', 'decimal')).toEqual({ type: 'decimal', value: '1.10' });
    expect(literal('0.5', 'integer')).toEqual({ type: 'decimal', value: '0.5' });
    expect(literal('1e3', 'float')).toEqual({ type: 'float', value: 1000 });
  });

  it('is text where the field is text, exactly', () => {
    expect(literal('007', 'text')).toEqual({ type: 'text', value: '007' });
    expect(literal(7, 'text')).toEqual({ type: 'text', value: '7' });
    expect(literal(' a ', 'text')).toEqual({ type: 'text', value: ' a ' });
  });

  it('is a day, an instant or a time in ISO 8601', () => {
    expect(literal('2024-02-29', 'date')).toEqual({ type: 'date', value: '2024-02-29' });
    expect(literal('2024-02-29', 'timestamp')).toEqual({ type: 'timestamp', value: '2024-02-29T00:00:00' });
    expect(literal('2024-02-29 13:05', 'timestamp')).toEqual({ type: 'timestamp', value: '2024-02-29T13:05:00' });
    expect(literal('2024-02-29T23:30:00.25-02:00', 'timestamptz')).toEqual({
      type: 'timestamptz',
      value: '2024-03-01T01:30:00.25Z',
    });
    expect(literal('2024-02-29', 'timestamptz')).toEqual({ type: 'timestamptz', value: '2024-02-29T00:00:00Z' });
    expect(literal('23:59', 'time')).toEqual({ type: 'time', value: '23:59' });
    expect(literal('+012024-02-29', 'date')).toEqual({ type: 'date', value: '+012024-02-29' });
    expect(literal('-000044-03-15T10:00:00.123456789012', 'timestamp')).toEqual({
      type: 'timestamp',
      value: '-000044-03-15T10:00:00.123456789012',
    });
    expect(literal('9999-12-31T23:30:00.5-02:00', 'timestamptz')).toEqual({
      type: 'timestamptz',
      value: '+010000-01-01T01:30:00.5Z',
    });
  });

  it.each([
    ['ten', 'integer'],
    ['', 'integer'],
    ['0x10', 'decimal'],
    ['NaN', 'float'],
    ['1e999', 'float'],
    [true, 'integer'],
    ['yes', 'boolean'],
    ['2023-02-29', 'date'],
    ['2024-2-1', 'date'],
    ['2024-02-29T25:00', 'timestamp'],
    ['yesterday', 'timestamptz'],
    ['24:00', 'time'],
    ['12024-02-29', 'date'],
    ['+002024-02-29', 'date'],
    ['-000000-01-01', 'date'],
    ['10:00:00.1234567890123', 'time'],
  ] as const)('%j cannot be a %s', (value, type) => {
    expect(literal(value, type)).toEqual(expect.any(String));
  });
});
