package com.service.store;

import android.os.SystemClock;

/** The business user who is signed in. In memory only: a restart of the terminal signs out. */
final class UserSession {
    /** Decisions 9: sessions end after 15 idle minutes. */
    static final long IDLE_MS = 15 * 60_000;

    private String token;
    private String name;
    private String role;
    private long idleFrom;

    synchronized void start(String token, String name, String role) {
        this.token = token;
        this.name = name;
        this.role = role;
        touch();
    }

    /** Somebody uses the terminal. */
    synchronized void touch() {
        if (token() != null || idleFrom == 0) idleFrom = SystemClock.elapsedRealtime();
    }

    /** For the header Service-User-Session; null without a signed-in user. */
    synchronized String token() {
        if (token != null && idleFrom != 0 && SystemClock.elapsedRealtime() - idleFrom >= IDLE_MS) end();
        return token;
    }

    synchronized String name() {
        return token() == null ? null : name;
    }

    synchronized boolean isManager() {
        return token() != null && "MANAGER".equals(role);
    }

    /** Ends the session if it is still the one with this token. */
    synchronized void end(String ended) {
        if (ended != null && ended.equals(token)) end();
    }

    /** Returns the token that was in use, or null. */
    synchronized String end() {
        String ended = token;
        token = name = role = null;
        idleFrom = 0;
        return ended;
    }
}
