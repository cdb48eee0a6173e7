package com.service.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.util.UUID;
import org.json.JSONException;
import org.json.JSONObject;

/** The server's API under `/terminal`, called with the terminal's own token and, where wanted, the user's session. */
final class Backend {
    private static final String JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    /** Interface, JWT claim set: 500 seconds in the sample. */
    private static final int ASSERTION_SECONDS = 500;
    private static final int CONNECT_MS = 4_000;
    private static final int READ_MS = 8_000;
    /** A list of a thousand subscriptions has some 400 KiB. */
    private static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

    static final class Answer {
        final int status;
        /** Null where the answer has no body, or none that is a JSON object. */
        final JSONObject body;
        final String requestId;
        final long dateMs;

        Answer(int status, JSONObject body, String requestId, long dateMs) {
            this.status = status;
            this.body = body;
            this.requestId = requestId;
            this.dateMs = dateMs;
        }
    }

    /** One call. Immutable but for its setters, which return the call. */
    static final class Call {
        final String method;
        final String path;
        JSONObject body;
        String requestId = UUID.randomUUID().toString();
        String userSession;
        int readMs = READ_MS;

        Call(String method, String path) {
            this.method = method;
            this.path = path;
        }

        Call body(JSONObject body) {
            this.body = body;
            return this;
        }

        /** Ids that a header cannot carry stay between app and service. */
        Call requestId(String requestId) {
            if (requestId != null && requestId.matches("[\\x21-\\x7e]{1,128}")) this.requestId = requestId;
            return this;
        }

        Call userSession(String userSession) {
            this.userSession = userSession;
            return this;
        }

        /** For callers that hold up an app's main thread. */
        Call quick() {
            readMs = 3_000;
            return this;
        }
    }

    private final Store store;
    private String accessToken;

    Backend(Store store) {
        this.store = store;
    }

    /** Sends the call, with a new token after a 401 (interface, Errors 1), and returns a 2xx answer. */
    Answer send(Call call) throws Failure {
        Answer answer = exchange(call);
        if (answer.status >= 200 && answer.status < 300) return answer;
        throw Failure.of(answer);
    }

    private Answer exchange(Call call) throws Failure {
        String used = token(null);
        Answer answer = once(call, used);
        if (answer.status != 401) return answer;
        if (answer.body != null && Failure.INVALID_USER_SESSION.equals(answer.body.optString("code"))) {
            store.session.end(call.userSession);
            return answer;
        }
        return once(call, token(used));
    }

    /** The token in use; a new one where it is `rejected`. Concurrent calls wait for one exchange. */
    private synchronized String token(String rejected) throws Failure {
        if (accessToken != null && !accessToken.equals(rejected)) return accessToken;
        accessToken = null;
        Identity identity = store.identity();
        if (identity == null) throw notActivated();
        long assumed = store.clock.nowMs();
        Answer answer = exchangeAssertion(identity, assumed);
        // The server's Date came with the rejection: an assertion with the right time may pass.
        if (answer.status == 401 && Math.abs(store.clock.nowMs() - assumed) > 30_000) {
            answer = exchangeAssertion(identity, store.clock.nowMs());
        }
        String token = answer.body == null ? "" : answer.body.optString("accessToken");
        if (answer.status == 200 && !token.isEmpty()) return accessToken = token;
        Failure failure = answer.status == 200 ? Failure.invalidResponse(answer.requestId) : Failure.of(answer);
        if (failure.code.equals(Failure.INVALID_ASSERTION)) {
            store.revoked(identity);
            throw notActivated();
        }
        throw failure;
    }

    synchronized void forgetToken() {
        accessToken = null;
    }

    private static Failure notActivated() {
        return new Failure(Failure.TERMINAL_NOT_ACTIVATED, "This terminal is not activated. Ask the owner for an activation code.",
                "The terminal has no valid key: it was never activated, or its key was revoked.");
    }

    private Answer exchangeAssertion(Identity identity, long nowMs) throws Failure {
        String requestId = UUID.randomUUID().toString();
        try {
            long iat = nowMs / 1000;
            JSONObject header = new JSONObject().put("alg", "RS256").put("typ", "JWT").put("kid", identity.kid);
            JSONObject claims = new JSONObject().put("sub", identity.deviceId).put("iss", identity.deviceId)
                    .put("aud", store.baseUrl).put("jti", UUID.randomUUID().toString())
                    .put("iat", iat).put("exp", iat + ASSERTION_SECONDS);
            String form = "grantType=" + URLEncoder.encode(JWT_BEARER, "UTF-8")
                    + "&assertion=" + URLEncoder.encode(Jws.sign(header, claims, identity.keyAlias), "UTF-8");
            return http("POST", "/token", form.getBytes(Jws.UTF_8), "application/x-www-form-urlencoded; charset=UTF-8",
                    null, null, requestId, READ_MS);
        } catch (GeneralSecurityException e) {
            // The key is gone, for example after the device was reset.
            store.revoked(identity);
            throw notActivated();
        } catch (JSONException | IOException e) {
            throw Failure.unreachable(requestId);
        }
    }

    private Answer once(Call call, String bearer) throws Failure {
        try {
            byte[] body = call.body == null ? null : call.body.toString().getBytes(Jws.UTF_8);
            return http(call.method, call.path, body, "application/json", bearer, call.userSession, call.requestId, call.readMs);
        } catch (IOException e) {
            throw Failure.unreachable(call.requestId);
        }
    }

    /** A call without a token: activation, public keys. Returns any answer. */
    Answer sendOpen(String method, String path, JSONObject body) throws Failure {
        String requestId = UUID.randomUUID().toString();
        try {
            byte[] bytes = body == null ? null : body.toString().getBytes(Jws.UTF_8);
            return http(method, path, bytes, "application/json", null, null, requestId, READ_MS);
        } catch (IOException e) {
            throw Failure.unreachable(requestId);
        }
    }

    private Answer http(String method, String path, byte[] body, String contentType, String bearer, String userSession,
            String requestId, int readMs) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(store.baseUrl + path).openConnection();
        try {
            connection.setRequestMethod(method);
            connection.setConnectTimeout(Math.min(CONNECT_MS, readMs));
            connection.setReadTimeout(readMs);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestProperty("api-version", "1.2");
            connection.setRequestProperty("accept", "application/json");
            connection.setRequestProperty("service-request-id", requestId);
            if (bearer != null) connection.setRequestProperty("authorization", "Bearer " + bearer);
            if (userSession != null) connection.setRequestProperty("service-user-session", userSession);
            if (body != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("content-type", contentType);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body);
                }
            }
            int status = connection.getResponseCode();
            String answeredId = connection.getHeaderField("service-request-id");
            JSONObject json = parse(read(status >= 400 ? connection.getErrorStream() : connection.getInputStream()));
            long dateMs = connection.getHeaderFieldDate("date", 0);
            // Anything that answers JSON of ours is the server; a captive portal's clock is not trusted.
            if (json != null && answeredId != null) store.clock.observe(dateMs);
            return new Answer(status, json, answeredId == null ? requestId : answeredId, dateMs);
        } finally {
            connection.disconnect();
        }
    }

    private static String read(InputStream in) throws IOException {
        if (in == null) return "";
        try (InputStream closed = in) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = closed.read(buffer); n >= 0; n = closed.read(buffer)) {
                out.write(buffer, 0, n);
                if (out.size() > MAX_ANSWER_BYTES) throw new IOException("answer too large");
            }
            return new String(out.toByteArray(), Jws.UTF_8);
        }
    }

    private static JSONObject parse(String text) {
        try {
            return text.isEmpty() ? null : new JSONObject(text);
        } catch (JSONException e) {
            return null;
        }
    }
}
