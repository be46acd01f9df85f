import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.util.Locale;
import mondrian.rolap.RolapConnection;
import org.olap4j.Cell;
import org.olap4j.CellSet;
import org.olap4j.OlapConnection;
import org.olap4j.OlapStatement;

/**
 * Answers MDX with Mondrian. Arguments: the URL of the warehouse and the file of the cube schema. Reads a query from
 * each line of the standard input, after `cold ` or `warm `. Prints a line for each: milliseconds, number of cells, sum of the
 * numbers in them, separated by blanks; or `failed` and the reason.
 */
class MondrianQueries {
  private final String url;
  private OlapConnection connection;

  private MondrianQueries(String warehouse, String schema) {
    url = "jdbc:mondrian:JdbcDrivers=org.postgresql.Driver;Jdbc='" + warehouse + "';Catalog='file:" + schema + "'";
  }

  public static void main(String[] arguments) throws Exception {
    Class.forName("mondrian.olap4j.MondrianOlap4jDriver");
    MondrianQueries queries = new MondrianQueries(arguments[0], arguments[1]);
    queries.connect();
    System.out.println("ready");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(queries.answer(line.startsWith("cold "), line.substring(5)));
      System.out.flush();
    }
  }

  private void connect() throws Exception {
    connection = DriverManager.getConnection(url).unwrap(OlapConnection.class);
  }

  /** Drops what is kept of schemas, members and cells. */
  private void forget() throws Exception {
    connection.unwrap(RolapConnection.class).getCacheControl(null).flushSchemaCache();
    connection.close();
  }

  private String answer(boolean isCold, String mdx) {
    try {
      if (isCold) forget();
      long begun = System.nanoTime();
      if (isCold) connect();
      String read;
      try (OlapStatement statement = connection.createStatement(); CellSet cells = statement.executeOlapQuery(mdx)) {
        read = read(cells);
      }
      return String.format(Locale.ROOT, "%.3f %s", (System.nanoTime() - begun) / 1e6, read);
    } catch (Exception error) {
      Throwable cause = error;
      while (cause.getCause() != null) cause = cause.getCause();
      return "failed " + String.valueOf(cause.getMessage()).replace('\n', ' ');
    }
  }

  /** Reads each cell with its text, as an answer needs it. */
  private static String read(CellSet cells) {
    int count = 1;
    for (var axis : cells.getAxes()) count *= axis.getPositionCount();
    double sum = 0;
    long characters = 0;
    for (int ordinal = 0; ordinal < count; ordinal++) {
      Cell cell = cells.getCell(ordinal);
      if (cell.getValue() instanceof Number number) sum += number.doubleValue();
      characters += cell.getFormattedValue().length();
    }
    return String.format(Locale.ROOT, "%d %.4f %d", count, sum, characters);
  }
}
