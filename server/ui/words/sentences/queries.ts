/** Sentences about requests to a model: `plugins/semantic/query/`, `plugins/query-surface/`, and about the shape of any request: `router/`. */
import { sentence } from './sentence.ts';

/** Why a request is not of the shape that an operation takes. */
export const SHAPE_REFUSALS = [
  sentence('Give {0} here.'),
  sentence('This has to be {0}.'),
  sentence('This has to be {0}, with no more digits than a double represents.'),
  sentence('Use one of: {0}.'),
  sentence('At most {0}.'),
  sentence('At least {0}.'),
  sentence('At most {0} characters.'),
  sentence('At least {0} characters.'),
  sentence('At most {0} entries.'),
  sentence('At least {0} entries.'),
  sentence('There is no member {0} here.'),
];

/** What a request needs at a place; values of the sentences above. */
export const SHAPES = [
  sentence('a whole number'),
  sentence('a number'),
  sentence('a list'),
  sentence('an object'),
  sentence('a string'),
];

/** Why a request to a model is refused. */
export const QUERY_REFUSALS = [
  sentence('Row detail shows fields: name at least one in rows or columns.'),
  sentence('These values are more in all than the warehouse takes with one statement: name fewer.'),
  sentence('These values are more in all than the warehouse takes with one statement: name fewer, or shorter ones.'),
  sentence('There are more than {0} days whose periods would be filled.'),
  sentence('There are more than {0} {1} whose periods would be filled.'),
  sentence('There are more than {0} periods to fill.'),
  sentence('Filter the dates, or take a longer grain.'),
  sentence('Filter the dates.'),
  sentence('The answer has more than {0} rows, too many to fill. Filter them.'),
  sentence(
    '{0} periods of {1} groups are more than the {2} rows that are filled. Filter them, or take a longer grain.',
  ),
  sentence(
    'The matrix would have {0} rows of {1} cells below {2} lines of headers, more than {3} in all. Ask for records, or put fewer fields in columns.',
  ),
  sentence('{0} has more than {1} periods of {2}. Take a longer grain.'),
  sentence('There is no text field {0}.'),
  sentence('There is no metric {0} among the values of this query.'),
  sentence(
    '{0} would count rows of {1} more than once for this grouping, and {2} has no primary_key that identifies its rows. Group by a dataset that {3} leads to.',
  ),
  sentence(
    '{0} is of {1}, which has no main date that {2} could represent. Name a date of its own, or declare one in the model: {3} in the SERVICE extension of the dataset {4}.',
  ),
  sentence(
    '{0} is of {1}, and {2} can be reached from there along more than one path: {3}. Name the relationship that is meant in "via".',
  ),
  sentence(
    '{0} is of {1}, and {2} can be reached from there along more than one path, and {3} does not select one of them: {4}. Name the relationship that is meant in "via".',
  ),
  sentence('{0} belongs to {1}, and no relationship leads to {2}.'),
  sentence('{0} can be reached from {1} along more than one path, and a metric cannot select one: {2}.'),
  sentence('No dataset with a main date leads to the other fields. Name a date of one of them.'),
  sentence(
    'With rows and columns a metric sorts whole rows, and a filter by a metric tests each cell. Filter rows with `per` and the fields of rows, or put the fields of columns into rows.',
  ),
  sentence('With columns every period of the rows is filled: leave out the limit, and sorts by fields of columns.'),
  sentence('There is no way down from {0}.'),
  sentence('The step down from {0} needs a value of each: {1}.'),
  sentence('The request does not show {0}.'),
  sentence('The request does not show all these dimensions.'),
  sentence('A request with a limit has no rest.'),
  sentence('A request with a limit has no subtotals.'),
  sentence('A request that filters by a metric has no rest.'),
  sentence('A request that filters by a metric has no subtotals.'),
  sentence('{0} has no periods to fill: name a date with a grain such as month.'),
  sentence('{0} beside it has any moment of its periods: name it with a grain such as hour.'),
  sentence('One date of the rows is filled, not two.'),
  sentence('A filter by a metric leaves periods out that filling would bring back as empty; ask for one of them.'),
  sentence('Periods are filled in their order, and not sorted by a metric.'),
  sentence('Filters take at most {0} values in all.'),
  sentence('There are at most {0} filters in all.'),
  sentence(
    'One group of any holds filters of fields or of metrics, not both: fields select rows, and metrics the groups that are made of them. Give the metric filter a `per`, or ask twice.',
  ),
  sentence('The field {0} is there twice.'),
  sentence('The metric {0} is there twice.'),
  sentence('RELATIVE takes a period, in "value".'),
  sentence('RELATIVE needs a period.'),
  sentence('RELATIVE counts periods of the calendar, not {0}.'),
  sentence('There is no period {0}.'),
  sentence('{0} takes no n.'),
  sentence('{0} needs n.'),
  sentence('{0} takes no value.'),
  sentence('{0} takes no values.'),
  sentence('{0} takes two values, the low one first; there is {1}.'),
  sentence('{0} takes two values, the low one first; there are {1}.'),
  sentence('{0} takes one value, in "value".'),
  sentence('{0} needs a value.'),
  sentence('{0} takes a list, in "values".'),
  sentence('{0} needs values.'),
  sentence('{0} is compared with at most {1} such values.'),
  sentence('{0} is compared with {1}, not with {2}.'),
  sentence('{0} is no date, and has no periods.'),
  sentence('{0} is no date, and has no grain.'),
  sentence('{0} is no date.'),
  sentence('{0} has no time of day, and no grain {1}.'),
  sentence('{0} reaches further than {1}.'),
  sentence('Today, {0}, is in no {1} of {2}, so none is before it.'),
  sentence('Today, {0}, is in more than one {1} of {2}, so none is before it.'),
  sentence('There is no time zone {0}.'),
  sentence('{0} is no language tag such as en-US.'),
  sentence('There is no grain {0}.'),
  sentence('The aggregation of {0} cannot be replaced.'),
  sentence('{0} cannot be aggregated by {1}.'),
  sentence('Name at least one field in rows or columns, or one metric in values.'),
  sentence('A sort needs a metric or a field.'),
  sentence('A sort names a metric or a field, not both.'),
  sentence('previous_period needs a filter with a beginning and an end, or a date with a grain in rows or columns.'),
  sentence('Periods are compared along one date, and here are several: {0}.'),
  sentence('{0} is shorter than a day; days and longer periods are compared.'),
  sentence('The query has no time: filter by a date, or name one with a grain in rows or columns.'),
  sentence('Filters are about several dates: {0}. Compare along one.'),
  sentence('A table of days does not define which {0} is a year before. Name the number of periods, such as {1}.'),
  sentence('{0} is shorter than a day, and a metric here is offset by days and longer periods.'),
  sentence('A metric here is offset by months, which do not move one week to another.'),
  sentence('A metric here is offset by {0}, which does not move one {1} to another.'),
  sentence('A metric here is offset by whole days of a calendar’s table. Filter {0} by a grain of days.'),
  sentence('A request has at most {0} characters.'),
  sentence('There is no such query. Answers are kept for {0}.'),
];

/** More of them, whose values are phrases: lists with `and` and `or`, and names of grains. */
export const QUERY_PHRASES = [
  sentence('{0} may mean {1}; name one of them.'),
  sentence(
    '{0} is of {1}, whose rows do not lead to {2} together. Name fields of one dataset, or use separate filters.',
  ),
  sentence(
    '{0} meet in more than one dataset: {1}. Add a metric of one of them to say which is meant, or name a relationship in "via".',
  ),
  sentence('The date may be the main date of {0}. Add a metric of one of them, or name its date.'),
  sentence('No path from {0} to {1} goes along {2}.'),
  sentence('A {0} is not a step from one {1} to another.'),
  sentence(
    'A metric here is offset in time, which does not move parts of {0} and {1} together. Group by one of them, or by the day too.',
  ),
];

/** The words of those phrases. Other values may have them in names. */
export const PHRASE_PARTS = [
  sentence('{0} or {1}'),
  sentence('{0} and {1}'),
  sentence('day'),
  sentence('week'),
  sentence('month'),
  sentence('quarter'),
  sentence('year'),
];

/** The values that a field is compared with; values of sentences above. */
export const COMPARED_VALUES = [
  sentence('The metric {0}'),
  sentence('The query'),
  sentence('a number such as 42 or 3.14'),
  sentence('true or false'),
  sentence('text of whole characters'),
  sentence('text without the character U+0000'),
  sentence('a number that {0} can be compared with'),
  sentence('a day from {0} to {1}'),
  sentence('at most {0} digits of a second'),
  sentence('a date such as {0}, or a week such as {1}'),
  sentence('a date such as {0}, or a month such as {1}'),
  sentence('a date such as {0}, or a quarter such as {1}'),
  sentence('a date such as {0}, or a year such as {1}'),
  sentence('a date such as {0}, or a period such as FY2025, FY2025-Q1 or FY2025-M01'),
  sentence('a date such as {0}'),
  sentence('a date and time such as {0}; without a zone it is UTC'),
  sentence('a date and time such as {0}'),
];
