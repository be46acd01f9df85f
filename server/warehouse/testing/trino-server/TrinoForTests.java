import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.testing.TestingTrinoServer;
import java.util.Map;

/** Starts a Trino of one process with the connectors of tests. Prints its address, and stops when its standard input ends. */
public class TrinoForTests {
    private static final Map<String, String> PROPERTIES = Map.of(
            // By default, tasks that have ended are kept for a quarter of an hour. The server walks through all of them five times a second,
            // which took an eighth of its time.
            "task.info.max-age", "1m",
            // They save reading rows of large tables. Here they only add requests to each join.
            "enable-dynamic-filtering", "false");

    public static void main(String[] arguments) throws Exception {
        try (TestingTrinoServer server = TestingTrinoServer.builder().setProperties(PROPERTIES).build()) {
            server.installPlugin(new MemoryPlugin());
            server.installPlugin(new TpchPlugin());
            server.createCatalog("tpch", "tpch");
            System.out.println("ready " + server.getBaseUrl());
            while (System.in.read() >= 0) {
                // Waits for the end of the input.
            }
        }
        System.exit(0);
    }
}
