package com.service.store;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Stands for the service on a loopback socket. It verifies assertions and tokens as the service does; a test sets other answers. By
 * default, all permissions are approved and there is no subscription.
 */
final class FakeServer implements AutoCloseable {
    static final String DEVICE = "urn:tid:0197a6a0-0000-7000-8000-0000000000d1";
    static final String PURCHASE = "0197a6a0-0000-7000-8000-0000000000ee";
    static final String APP = "urn:aid:0197a6a0-0000-7000-8000-0000000000aa";
    private static final KeyPair SIGNING = newKey();
    private static final String KID = "server-1";

    interface Handler {
        Answer answer(Request request) throws Exception;
    }

    static final class Answer {
        final int status;
        final String body;

        Answer(int status, String body) {
            this.status = status;
            this.body = body;
        }

        static Answer json(int status, Object body) {
            return new Answer(status, body.toString());
        }

        static Answer error(int status, String code) {
            return json(status, new JSONObject(Map.of("code", code, "httpStatus", status, "message", "M: " + code,
                    "developerMessage", "D: " + code, "requestId", "server-request")));
        }
    }

    record Request(String method, String path, String body, Map<String, String> headers) {
        JSONObject json() throws Exception {
            return new JSONObject(body);
        }
    }

    final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    final Set<String> usedIds = Collections.synchronizedSet(new HashSet<>());
    private final ServerSocket server;
    volatile String activationCode = "AAAA-BBBB-CCCC-DDDD";
    volatile PublicKey deviceKey;
    volatile boolean isRevoked;
    volatile String accessToken = "none";
    /** The server's clock minus the JVM's clock. */
    volatile long skewMs;
    volatile JSONArray subscriptions = new JSONArray();
    volatile long validSeconds = 72 * 3600;

    FakeServer() throws IOException {
        server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        start("accept", () -> {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                start("request", () -> serve(socket));
            }
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception ignored) {
                // The socket was closed.
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    int count(String method, String path) {
        synchronized (requests) {
            return (int) requests.stream().filter(each -> each.method.equals(method) && each.path.equals(path)).count();
        }
    }

    Request last(String method, String path) {
        synchronized (requests) {
            for (int i = requests.size() - 1; i >= 0; i--) {
                Request each = requests.get(i);
                if (each.method.equals(method) && each.path.equals(path)) return each;
            }
        }
        throw new AssertionError(method + " " + path + " was not sent");
    }

    void on(String method, String path, Handler handler) {
        handlers.put(method + " " + path, handler);
    }

    void on(String method, String path, Answer answer) {
        on(method, path, request -> answer);
    }

    /** One request for each connection. The JDK's own server would send its own Date. */
    private void serve(Socket socket) throws Exception {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String[] start = line(in).split(" ");
            Map<String, String> headers = new ConcurrentHashMap<>();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String[] header = line.split(": ", 2);
                headers.put(header[0].toLowerCase(), header[1]);
            }
            String body = new String(in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0"))), StandardCharsets.UTF_8);
            Request request = new Request(start[0], URI.create(start[1]).getPath(), body, headers);
            requests.add(request);
            Answer answer;
            try {
                answer = answerOf(request);
            } catch (Exception e) {
                answer = Answer.json(500, new JSONObject(Map.of("code", "INTERNAL_ERROR", "message", String.valueOf(e))));
            }
            // The connection breaks.
            if (answer.status == 0) return;
            byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
            String date = java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME
                    .format(java.time.Instant.ofEpochMilli(nowMs()).atOffset(java.time.ZoneOffset.UTC));
            String head = "HTTP/1.1 " + answer.status + " Words\r\nconnection: close\r\ncontent-type: application/json\r\ndate: " + date
                    + "\r\nservice-request-id: " + headers.getOrDefault("service-request-id", "made")
                    + "\r\ncontent-length: " + bytes.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) if (c != '\r') text.append((char) c);
        return text.toString();
    }

    long nowMs() {
        return System.currentTimeMillis() + skewMs;
    }

    private Answer answerOf(Request request) throws Exception {
        String route = request.method + " " + request.path;
        boolean isOpen = route.equals("POST /token") || route.equals("POST /devices/activate") || route.startsWith("GET /.well-known/");
        if (!isOpen && !("Bearer " + accessToken).equals(request.headers.get("authorization"))) {
            return Answer.error(401, "INVALID_ACCESS_TOKEN");
        }
        Handler handler = handlers.get(route);
        if (handler != null) return handler.answer(request);
        if (route.equals("POST /token")) return token(request);
        if (route.equals("POST /devices/activate")) return activate(request);
        if (route.equals("GET /.well-known/jwks.json")) return Answer.json(200, jwks());
        if (request.path.endsWith("/subscriptions/signed")) {
            String packageName = request.path.split("/")[3];
            return Answer.json(200, new JSONObject().put("jws", signed(packageName, envelope(subscriptions))));
        }
        if (request.path.endsWith("/plans")) return Answer.json(200, envelope(new JSONArray()));
        if (request.method.equals("PUT") && request.path.startsWith("/terminal/apps/")) {
            return Answer.json(200, new JSONObject().put("permissionsToApprove", new JSONArray()));
        }
        if (request.method.equals("DELETE")) return new Answer(204, "");
        return Answer.error(404, "RESOURCE_NOT_FOUND");
    }

    private Answer activate(Request request) throws Exception {
        JSONObject body = request.json();
        if (!activationCode.equals(body.getString("activationCode"))) return Answer.error(409, "ACTIVATION_CODE_INVALID");
        String pem = body.getString("publicKey").replaceAll("-----[A-Z ]+-----|\\s", "");
        deviceKey = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(pem)));
        isRevoked = false;
        return Answer.json(201, new JSONObject(Map.of("deviceId", DEVICE, "businessId", "b", "storeId", "s", "name", "Till 1", "kid", "k1")));
    }

    private Answer token(Request request) throws Exception {
        String assertion = null;
        for (String field : request.body.split("&")) {
            if (field.startsWith("assertion=")) assertion = URLDecoder.decode(field.substring(10), StandardCharsets.UTF_8);
        }
        String[] parts = assertion.split("\\.");
        JSONObject claims = new JSONObject(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA", "SunRsaSign");
        signature.initVerify(deviceKey);
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
        long now = nowMs() / 1000;
        boolean isValid = !isRevoked && signature.verify(Base64.getUrlDecoder().decode(parts[2]))
                && claims.getString("sub").equals(DEVICE) && claims.getString("iss").equals(DEVICE)
                && claims.getString("aud").equals(url()) && usedIds.add(claims.getString("jti"))
                && claims.getLong("exp") > now && claims.getLong("iat") <= now + 60 && claims.getLong("iat") > now - 86_400;
        if (!isValid) return Answer.error(401, "INVALID_ASSERTION");
        accessToken = "token-" + usedIds.size();
        return Answer.json(200, new JSONObject(Map.of("accessToken", accessToken, "refreshToken", "r", "expiresIn", 86400,
                "scope", "ALL", "tokenType", "BEARER")));
    }

    static JSONObject envelope(JSONArray list) {
        return new JSONObject(Map.of("list", list, "start", 0, "total", list.length(), "count", list.length()));
    }

    String signed(String packageName, JSONObject envelope) throws Exception {
        long now = nowMs() / 1000;
        return signed(new JSONObject(Map.of("iss", url(), "sub", packageName, "aud", DEVICE, "iat", now,
                "exp", now + validSeconds, "subscriptions", envelope)), "subscriptions+jwt", SIGNING);
    }

    String signed(JSONObject claims, String typ, KeyPair key) throws Exception {
        String header = encode(new JSONObject(Map.of("alg", "RS256", "typ", typ, "kid", KID)).toString().getBytes(StandardCharsets.UTF_8));
        String text = header + "." + encode(claims.toString().getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA", "SunRsaSign");
        signature.initSign(key.getPrivate());
        signature.update(text.getBytes(StandardCharsets.UTF_8));
        return text + "." + encode(signature.sign());
    }

    static JSONObject jwks() {
        return jwks(SIGNING);
    }

    static JSONObject jwks(KeyPair pair) {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return new JSONObject(Map.of("keys", new JSONArray(List.of(new JSONObject(Map.of("kty", "RSA", "kid", KID,
                "n", encode(key.getModulus().toByteArray()), "e", encode(key.getPublicExponent().toByteArray())))))));
    }

    static KeyPair newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
