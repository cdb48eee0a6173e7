package com.service.store;

import android.util.AtomicFile;
import android.util.Base64;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Signature;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The last subscriptions of each app, as the server signed them. The server's signature covers the app, the terminal, the
 * instant and the expiry; the server's keys are kept with a signature of the terminal's own key. So an edited, exchanged or
 * outdated file is as good as none.
 */
final class SubscriptionCache {
    private static final String TYP = "subscriptions+jwt";

    private final Store store;
    private final File folder;

    SubscriptionCache(Store store, File folder) {
        this.store = store;
        this.folder = folder;
    }

    /** The subscriptions of one app at one instant, as the server signed them. */
    static final class Signed {
        /** The page envelope. */
        final JSONObject list;
        final long issuedAtSeconds;

        Signed(JSONObject list, long issuedAtSeconds) {
            this.list = list;
            this.issuedAtSeconds = issuedAtSeconds;
        }
    }

    /** Keeps a list that the server has just sent; null where the JWS is not a valid one for this app. */
    Signed keep(String packageName, String jws) throws Failure {
        JSONObject keys = keys();
        if (keys == null || !Jws.hasKey(keys, Jws.kidOf(jws))) keys = fetchKeys();
        Signed signed = read(packageName, jws, keys);
        if (signed == null) return null;
        write(fileOf(packageName), jws);
        return signed;
    }

    /** The list that was kept, if it is untouched, of this terminal and app, and not expired; else null. */
    Signed find(String packageName) {
        String jws = load(fileOf(packageName));
        JSONObject keys = jws == null ? null : keys();
        return keys == null ? null : read(packageName, jws, keys);
    }

    void forget(String packageName) {
        new AtomicFile(fileOf(packageName)).delete();
    }

    void clear() {
        File[] files = folder.listFiles();
        if (files == null) return;
        for (File file : files) new AtomicFile(file).delete();
    }

    private Signed read(String packageName, String jws, JSONObject keys) {
        Identity identity = store.identity();
        JSONObject claims = Jws.verify(jws, TYP, keys);
        if (identity == null || claims == null) return null;
        boolean isOurs = store.baseUrl.equals(claims.optString("iss"))
                && identity.deviceId.equals(claims.optString("aud"))
                && packageName.equals(claims.optString("sub"));
        boolean isFresh = claims.optLong("exp") * 1000 > store.clock.nowMs();
        JSONObject list = claims.optJSONObject("subscriptions");
        return isOurs && isFresh && list != null ? new Signed(list, claims.optLong("iat")) : null;
    }

    /** The server's public keys, if the file is as this terminal signed it; else null. */
    private JSONObject keys() {
        Identity identity = store.identity();
        String text = load(keysFile());
        if (identity == null || text == null) return null;
        int line = text.indexOf('\n');
        if (line < 0) return null;
        try {
            byte[] keys = text.substring(line + 1).getBytes(Jws.UTF_8);
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(DeviceKey.publicKey(identity.keyAlias));
            signature.update(keys);
            boolean isOurs = signature.verify(Base64.decode(text.substring(0, line), Base64.NO_WRAP));
            return isOurs ? new JSONObject(new String(keys, Jws.UTF_8)) : null;
        } catch (GeneralSecurityException | JSONException | IllegalArgumentException e) {
            return null;
        }
    }

    private JSONObject fetchKeys() throws Failure {
        Identity identity = store.identity();
        Backend.Answer answer = store.backend.sendOpen("GET", "/.well-known/jwks.json", null);
        if (answer.status != 200 || answer.body == null || identity == null) throw Failure.invalidResponse(answer.requestId);
        String keys = answer.body.toString();
        try {
            byte[] signature = DeviceKey.sign(identity.keyAlias, keys.getBytes(Jws.UTF_8));
            write(keysFile(), Base64.encodeToString(signature, Base64.NO_WRAP) + "\n" + keys);
        } catch (GeneralSecurityException e) {
            throw Failure.internal();
        }
        return answer.body;
    }

    private File keysFile() {
        return new File(folder, "keys");
    }

    /** Package names have letters, digits, dots and underscores only (`Callers.PACKAGE_NAME`). */
    private File fileOf(String packageName) {
        return new File(folder, packageName + ".jws");
    }

    private static String load(File file) {
        try {
            return new String(new AtomicFile(file).readFully(), Jws.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }

    /** The answer is returned even if the cache cannot be written. */
    private void write(File file, String text) {
        folder.mkdirs();
        AtomicFile atomic = new AtomicFile(file);
        FileOutputStream out = null;
        try {
            out = atomic.startWrite();
            out.write(text.getBytes(Jws.UTF_8));
            atomic.finishWrite(out);
        } catch (IOException e) {
            if (out != null) atomic.failWrite(out);
        }
    }
}
