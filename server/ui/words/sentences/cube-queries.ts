/** Sentences about requests to a cube: `plugins/cube/query/`. */
import { sentence } from './sentence.ts';

/** Why a request to a cube is refused. */
export const CUBE_QUERY_REFUSALS = [
  sentence('The answer has {0} columns and {1} rows; position is col:row, and both begin with 0.'),
  sentence('{0} is calculated: there are no rows behind it. Take a column of a stored measure.'),
  sentence('This cell is masked, for it counts too few; the rows behind it are not shown.'),
  sentence('{0} is no level or stored measure of the cube.'),
  sentence('{0} is a name of several; give the unique name of one.'),
  sentence('{0} is a name of several of {1}; give the unique name of one.'),
  sentence('Only stored sums can be changed; {0} is calculated.'),
  sentence('Only stored sums can be changed; {0} is {1}.'),
  sentence('Another member of {0} is named already.'),
  sentence('The answer would have {0} columns; {1} is the most. Put more into rows, or filter.'),
  sentence('The query took longer than {0} seconds.'),
  sentence('Ask for less, or run it asynchronously later.'),
  sentence('Ask for fewer rows and columns, or filter them.'),
  sentence(
    'The rows cannot be chosen or sorted by a measure that fails for them: {0} Sort by another measure, or filter to one member.',
  ),
  sentence('This needs a formula of the cube that is wrong (line {0} of its schema). Choose other measures.'),
  sentence('The step down from {0} needs a member of each: {1}.'),
  sentence('There is no member {0} in the cube; give its unique name.'),
  sentence('There is no member {0} on {1}.'),
  sentence('Several members are called {0}; give the unique name of the one that is meant.'),
  sentence('There is no cube {0}.'),
  sentence('{0} is the id of several cubes, which differ in letter case; write one of them exactly.'),
  sentence('There is no measure {0} in {1}.'),
  sentence('There is no measure {0} in the cube.'),
  sentence('There is no dimension {0} in the cube.'),
  sentence('There is no dimension {0} in {1}.'),
  sentence('There is no hierarchy {0} in {1}.'),
  sentence('There is no level {0} in {1}.'),
  sentence('There is no level {0}.'),
  sentence('The cube has no level {0}.'),
  sentence('The cube has {0} levels; name a dimension.'),
  sentence('{0} is shown beside other levels of its hierarchy, and has no rest.'),
  sentence('{0} stands in rows already; a hierarchy is in rows or in columns.'),
  sentence('A request names at most {0} members in all.'),
  sentence(
    'This is not exactly one member of that level. Write its caption as the question does, try another level, or leave it out.',
  ),
  sentence('value belongs to the op relative.'),
  sentence('n belongs to the op relative.'),
  sentence('The op {0} needs members.'),
  sentence('The op relative takes value, and no members.'),
  sentence('The op relative needs a value, such as last_n_months.'),
  sentence('between takes two members: the first and the last.'),
  sentence('The level {0} is above the member {1}.'),
  sentence('The level {0} is above one of the members, which is of the level {1}.'),
  sentence('The members are of several levels: say of which level the descendants are meant.'),
  sentence('All members are of one level; {0} is of {1}, {2} of {3}.'),
  sentence('All members are of one level; these are of {0} and of {1}.'),
  sentence(
    'The hierarchy {0} cannot express {1}: it takes a level of years, quarters, months or days that is no coarser than that.',
  ),
  sentence(
    'The level {0} cannot express {1}: it takes a level of years, quarters, months or days that is no coarser than that.',
  ),
  sentence('The members of the level {0} cannot be read as dates.'),
  sentence('These members are of several levels; beside another item or filter of the hierarchy name one level.'),
  sentence('{0} shows members of several levels and cannot be filtered.'),
  sentence('BETWEEN on {0} takes two members that there are.'),
  sentence('{0} holds members: filter it by EQ, NEQ, IN or BETWEEN.'),
  sentence('Children are those of a member of one dimension and level.'),
  sentence('Without dimension and level, q says what is searched.'),
  sentence('Only the lowest levels of {0} can be left out.'),
  sentence('{0} has no subtotals, because the query filters levels below it.'),
  sentence('The query has no row level: name the level of the time axis in its rows.'),
  sentence('The time axis {0} is not a level of the query.'),
  sentence('Along a time axis rows stand in the order of time: leave the order out.'),
  sentence('The query shows members of several levels there; a time axis has one.'),
  sentence(
    'The level {0} is not a level of time: its dimension is not a time dimension, it has no levelType such as TimeMonths, and the names of its members are not all periods such as 2024, 2024-03 or 2024-03-31.',
  ),
];

/** One whose value is a list. */
export const CUBE_QUERY_PHRASES = [sentence('The measure {0} needs a choice of {1}: filter by it, or show it.')];

/** Where a name of a request was sought; values of sentences above. */
export const CUBE_PLACES = [
  sentence('the cube'),
  sentence('the dimension {0}'),
  sentence('the hierarchy {0}'),
  sentence('the level {0}'),
];
