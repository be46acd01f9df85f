/** The limits of the element, each with its unit and its reason. */

/** The shortest and the longest time between two refreshes. A browser's timer allows no longer one. */
export const MIN_REFRESH_SECONDS = 5;
export const MAX_REFRESH_SECONDS = 2_000_000;
/** The longest delay that a browser's timer allows, rounded down. */
export const MAX_TIMER_MS = 2_000_000_000;

/** The element renews a token when this share of its lifetime is left, but at least this long before its end. */
export const TOKEN_RENEWAL_SHARE = 0.1;
export const MIN_TOKEN_RENEWAL_LEAD_MS = 30_000;
/** The pause after a failed `getToken`. Each further failure doubles it, up to the longest. */
export const MIN_TOKEN_RETRY_MS = 1_000;
export const MAX_TOKEN_RETRY_MS = 60_000;

/** The time in which a server that is still loading is asked again. */
export const MAX_LOADING_MS = 90_000;

/** Above this many rows or cells, a table renders only the visible rows. */
export const MAX_UNWINDOWED_ROWS = 200;
export const MAX_UNWINDOWED_CELLS = 6_000;
/** Rows of the invisible table beside a chart: more would slow the page down, and nobody reads them. */
export const MAX_PLAIN_TABLE_ROWS = 500;
/** Painted characters of a cell: a browser is slow to lay out a megabyte in one line. */
export const MAX_CELL_CHARACTERS = 1_000;
/** Width of a column that the reader sets, in CSS pixels. */
export const MIN_COLUMN_WIDTH = 48;
export const MAX_COLUMN_WIDTH = 1_200;

/** Above this many members the last dimension stays a level of rows: nobody reads a matrix of hundreds of columns. */
export const MAX_MATRIX_COLUMN_MEMBERS = 24;
/** Above this many rows, a matrix starts with only its first level open. */
export const MAX_MATRIX_ROWS_EXPANDED = 200;

/** Rows of a chart that draws a shape for each: they take half a second to paint, and more do not fit on a screen. */
export const MAX_BAR_ROWS = 2_000;
export const MAX_SCATTER_ROWS = 4_000;
export const MAX_PIE_ROWS = 200;
/** Points of a line above which it is thinned, and the points that its outline keeps: several for each pixel of a screen. */
export const MAX_LINE_POINTS = 10_000;
export const THINNED_LINE_POINTS = 2_000;
/** Points of a forecast. A longer one is cut: a chart of mostly guesses shows nothing. */
export const MAX_FORECAST_POINTS = 400;
/** Characters of a value in a tooltip. */
export const MAX_TOOLTIP_CHARACTERS = 400;
/**
 * Beyond these values the arithmetic of axes exceeds a double, and ECharts fails. A chart draws a larger value at the
 * edge and a smaller one at zero; the tooltip and the table show the real value.
 */
export const MAX_AXIS_VALUE = 1e100;
export const MIN_AXIS_VALUE = 1e-100;
/** Time between the first and the last point of a time axis: a thousand years. */
export const MAX_TIME_SPAN_MS = 365_250 * 86_400_000;
/** The last moment that a Date can represent. */
export const MAX_DATE_MS = 100_000_000 * 86_400_000;

/** The grid of a dashboard, in cells. */
export const DEFAULT_DASHBOARD_COLUMNS = 12;
export const MAX_DASHBOARD_COLUMNS = 48;
export const MAX_DASHBOARD_ROWS = 10_000;
export const MAX_TILE_ROWS = 100;
/** Height of a row of a dashboard, in pixels. */
export const DEFAULT_ROW_HEIGHT = 84;
export const MIN_ROW_HEIGHT = 20;
export const MAX_ROW_HEIGHT = 400;

/** Image pixels for each CSS pixel of an exported PNG. */
export const DEFAULT_IMAGE_SCALE = 2;
export const MAX_IMAGE_SCALE = 8;

/** Rows, and cells, that a server renders: without JavaScript, scrolling renders no further rows. */
export const MAX_SERVER_RENDERED_ROWS = 500;
export const MAX_SERVER_RENDERED_CELLS = 20_000;

/** Series of a chart by default; colours of more are hard to tell apart. */
export const DEFAULT_TOP_SERIES = 12;
/** Members of a series dimension from which a chart asks its author to cut them: twelve of hundreds show little. */
export const MAX_SERIES_MEMBERS = 199;
/** Small charts of one chart. */
export const MAX_PANELS = 12;
/** Places for marks in all small charts together: more would hold the page for seconds. Fewer small charts are drawn. */
export const MAX_CHART_SLOTS = 150_000;
/** Lines that are labelled at their ends instead of by a legend. */
export const MAX_END_LABELS = 5;
/** Least size of a small chart, in CSS pixels. */
export const MIN_PANEL_WIDTH = 200;
export const MIN_PANEL_HEIGHT = 130;
