package com.service.store;

import android.content.SharedPreferences;
import android.os.SystemClock;

/**
 * The server's time, learned from its answers, so that a wrong device clock neither spoils assertions nor prolongs what was
 * cached. Time never runs backwards across restarts: the latest known server time is kept.
 */
final class ServerClock {
    private static final String SKEW = "clock.skew";
    private static final String LATEST = "clock.latest";
    /** A write each minute is enough for an expiry of hours. */
    private static final long SAVE_EACH_MS = 60_000;

    private final SharedPreferences kept;
    /** Server time minus time since boot; known once the server has answered in this process. */
    private Long sinceBoot;
    private long saved;

    ServerClock(SharedPreferences kept) {
        this.kept = kept;
        saved = kept.getLong(LATEST, 0);
    }

    synchronized long nowMs() {
        long now = sinceBoot != null
                ? SystemClock.elapsedRealtime() + sinceBoot
                : System.currentTimeMillis() + kept.getLong(SKEW, 0);
        long latest = Math.max(now, saved);
        if (latest - saved > SAVE_EACH_MS) {
            saved = latest;
            kept.edit().putLong(LATEST, latest).apply();
        }
        return latest;
    }

    /** Takes the Date header of an answer. */
    synchronized void observe(long serverMs) {
        if (serverMs <= 0) return;
        sinceBoot = serverMs - SystemClock.elapsedRealtime();
        // A device clock that ran ahead was kept as the latest time; the server's word replaces that.
        saved = serverMs;
        kept.edit().putLong(SKEW, serverMs - System.currentTimeMillis()).putLong(LATEST, serverMs).apply();
    }
}
