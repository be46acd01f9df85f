import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.SessionPropertyDefaults;
import io.trino.server.testing.TestingTrinoServer;
import io.trino.spi.resourcegroups.SessionPropertyConfigurationManagerContext;
import io.trino.spi.session.SessionConfigurationContext;
import io.trino.spi.session.SessionPropertyConfigurationManager;
import io.trino.spi.session.SessionPropertyConfigurationManagerFactory;
import java.util.Map;

/** Starts a Trino of one process with the connectors of tests. Prints its address, and stops when its standard input ends. */
public class TrinoForTests {
    private static final Map<String, String> PROPERTIES = Map.of(
            // By default, tasks that have ended are kept for a quarter of an hour. The server walks through all of them five times a second,
            // which took an eighth of its time.
            "task.info.max-age", "10s",
            // They save reading rows of large tables. Here they only add requests to each join.
            "enable-dynamic-filtering", "false");

    // The server measures and reports each driver, even of a table of three rows. The test server has four for each pipeline of a task and does
    // not let its properties change that; sessions do. The stages of queries stay as they are: only INSERT loses one.
    private static final Map<String, String> SESSION_DEFAULTS = Map.of(
            "task_concurrency", "1",
            "task_min_writer_count", "1",
            "task_scale_writers_enabled", "false",
            "scale_writers", "false",
            "redistribute_writes", "false");

    public static void main(String[] arguments) throws Exception {
        try (TestingTrinoServer server = TestingTrinoServer.builder().setProperties(PROPERTIES).build()) {
            SessionPropertyDefaults defaults = server.getSessionPropertyDefaults();
            defaults.addConfigurationManagerFactory(new OneDriverFactory());
            defaults.setConfigurationManager(OneDriverFactory.NAME, Map.of());
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

    private static final class OneDriverFactory implements SessionPropertyConfigurationManagerFactory {
        static final String NAME = "one-driver";

        @Override
        public String getName() {
            return NAME;
        }

        @Override
        public SessionPropertyConfigurationManager create(Map<String, String> settings, SessionPropertyConfigurationManagerContext context) {
            return new OneDriver();
        }
    }

    private static final class OneDriver implements SessionPropertyConfigurationManager {
        @Override
        public Map<String, String> getSystemSessionProperties(SessionConfigurationContext context) {
            return SESSION_DEFAULTS;
        }

        @Override
        public Map<String, Map<String, String>> getCatalogSessionProperties(SessionConfigurationContext context) {
            return Map.of();
        }
    }
}
