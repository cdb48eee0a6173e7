package com.service.billing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The merchant's subscriptions to this app at one instant. */
public final class Subscriptions {
    public final List<Subscription> list;
    /** The terminal had no connection; the list is the last that the service signed. */
    public final boolean isStale;
    /** The instant of a stale list (ISO 8601, UTC); null for a fresh one. */
    public final String staleSince;

    public Subscriptions(JSONObject envelope) throws JSONException {
        JSONArray array = envelope.getJSONArray("list");
        List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < array.length(); i++) subscriptions.add(new Subscription(array.getJSONObject(i)));
        list = Collections.unmodifiableList(subscriptions);
        isStale = envelope.optBoolean("stale");
        staleSince = isStale ? envelope.optString("staleSince") : null;
    }

    /** Whether the merchant may use what any plan of the app brings. */
    public boolean isActive() {
        for (Subscription each : list) if (each.isActive()) return true;
        return false;
    }

    public boolean isActive(String planId) {
        for (Subscription each : list) if (each.isActive() && each.planId.equals(planId)) return true;
        return false;
    }
}
