/** The limits of the element: each with its unit in its name or beside it, and why it is what it is. */

/** The shortest time between two refreshes, and the longest: what a browser's timer holds. */
export const MIN_REFRESH_SECONDS = 5;
export const MAX_REFRESH_SECONDS = 2_000_000;
/** What a browser's timer holds. */
export const MAX_TIMER_MS = 2_000_000_000;

/** A token is renewed when this share of its time is left, but never later than this before its end. */
export const TOKEN_RENEWAL_SHARE = 0.1;
export const MIN_TOKEN_RENEWAL_LEAD_MS = 30_000;
/** The pause after a failed `getToken`; doubled at each further failure up to the longest. */
export const MIN_TOKEN_RETRY_MS = 1_000;
export const MAX_TOKEN_RETRY_MS = 60_000;

/** Over this many rows, or cells, a table renders only the rows in sight. */
export const MAX_UNWINDOWED_ROWS = 200;
export const MAX_UNWINDOWED_CELLS = 6_000;
/** The unpainted table beside a chart: more rows would slow the page down for what nobody reads. */
export const MAX_PLAIN_TABLE_ROWS = 500;
/** The text of a cell that is painted; a browser lays out a megabyte in one line, but not quickly. */
export const MAX_CELL_CHARACTERS = 1_000;
/** Width of a column that the reader sets, in CSS pixels. */
export const MIN_COLUMN_WIDTH = 48;
export const MAX_COLUMN_WIDTH = 1_200;

/** Over this many members the last dimension stays a level of rows: nobody reads a matrix of hundreds of columns. */
export const MAX_MATRIX_COLUMN_MEMBERS = 24;
/** With more rows than this, all levels of a matrix but the first are closed at the start. */
export const MAX_MATRIX_ROWS_EXPANDED = 200;

/**
 * Rows that a chart draws where each has a shape of its own: some half a second of painting, and more shapes than a
 * screen has room for.
 */
export const MAX_BAR_ROWS = 2_000;
export const MAX_SCATTER_ROWS = 4_000;
export const MAX_PIE_ROWS = 200;
/** Points of a forecast; a longer one is cut: a chart of mostly guesses shows nothing. */
export const MAX_FORECAST_POINTS = 400;
/** A value in a tooltip; one value is no place for an essay. */
export const MAX_TOOLTIP_CHARACTERS = 400;
/**
 * Beyond these the arithmetic of axes leaves what a double holds, and ECharts fails. What is larger is drawn at the
 * edge, what is smaller at zero; the tooltip and the table say what it is.
 */
export const MAX_AXIS_VALUE = 1e100;
export const MIN_AXIS_VALUE = 1e-100;
/** Time between the first and the last point of a time axis: a thousand years. */
export const MAX_TIME_SPAN_MS = 365_250 * 86_400_000;
/** The last moment that a Date can hold. */
export const MAX_DATE_MS = 100_000_000 * 86_400_000;

/** The grid of a dashboard, in cells. */
export const DEFAULT_DASHBOARD_COLUMNS = 12;
export const MAX_DASHBOARD_COLUMNS = 48;
export const MAX_DASHBOARD_ROWS = 10_000;
export const MAX_TILE_ROWS = 100;

/** Image pixels for each CSS pixel of an exported PNG. */
export const DEFAULT_IMAGE_SCALE = 2;
export const MAX_IMAGE_SCALE = 8;

/**
 * Rows, and cells, that a server writes; without JavaScript nothing renders further ones while they are scrolled to.
 */
export const MAX_SERVER_RENDERED_ROWS = 500;
export const MAX_SERVER_RENDERED_CELLS = 20_000;
