import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.testing.TestingTrinoServer;

/** Starts a Trino of one process with the connectors of tests. Prints its address, and stops when its standard input ends. */
public class TrinoForTests {
    public static void main(String[] arguments) throws Exception {
        try (TestingTrinoServer server = TestingTrinoServer.create()) {
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
