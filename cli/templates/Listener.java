// A listener for Tillhook's webhooks. Start: WEBHOOK_SECRET=whsec_… java Listener.java (Java 11 or newer)
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Listener {
  static final String SECRET = System.getenv("WEBHOOK_SECRET");
  static final int PORT = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
  static final long TOLERANCE_SECONDS = 300;
  static final Set<String> seen = ConcurrentHashMap.newKeySet();

  public static void main(String[] args) throws IOException {
    if (SECRET == null) throw new IllegalStateException("set WEBHOOK_SECRET: tillhook listen prints it");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
    server.createContext("/", Listener::handle);
    server.start();
    System.out.println("listening on http://127.0.0.1:" + PORT);
  }

  static void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    int status = 400;
    try {
      if (isGenuine(exchange, body)) {
        status = 200;
        String json = new String(body, StandardCharsets.UTF_8);
        // Webhooks arrive at least once: skip an id that was handled before. A real listener uses a JSON library.
        if (seen.add(field(json, "id"))) {
          System.out.println("verified " + field(json, "eventType") + " " + field(json, "resourceId"));
        }
      } else {
        System.out.println("the webhook is too old, or the signature does not match: check WEBHOOK_SECRET");
      }
    } catch (RuntimeException | GeneralSecurityException error) {
      System.out.println("not a webhook: " + error.getMessage());
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** `body` is the request body as received, before JSON parsing. */
  static boolean isGenuine(HttpExchange exchange, byte[] body) throws GeneralSecurityException {
    String id = exchange.getRequestHeaders().getFirst("webhook-id");
    String timestamp = exchange.getRequestHeaders().getFirst("webhook-timestamp");
    long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
    if (Math.abs(age) > TOLERANCE_SECONDS) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = mac.doFinal(body);
    for (String signature : exchange.getRequestHeaders().getFirst("webhook-signature").split(" ")) {
      if (!signature.startsWith("v1,")) continue;
      if (MessageDigest.isEqual(expected, Base64.getDecoder().decode(signature.substring(3)))) return true;
    }
    return false;
  }

  static String field(String json, String name) {
    Matcher match = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return match.find() ? match.group(1) : "";
  }
}
