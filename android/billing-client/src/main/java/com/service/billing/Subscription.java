package com.service.billing;

import org.json.JSONException;
import org.json.JSONObject;

/** Interface, Subscription. */
public final class Subscription {
    public final String subscriptionId;
    public final String planId;
    /** TRIAL or FULL. */
    public final String phase;
    public final String status;
    public final String startAt;
    /** The whole record, for fields that this class does not name. */
    public final JSONObject json;

    public Subscription(JSONObject json) throws JSONException {
        this.json = json;
        subscriptionId = json.getString("subscriptionId");
        planId = json.getString("planId");
        phase = json.getString("phase");
        status = json.getString("status");
        startAt = json.getString("startAt");
    }

    public boolean isActive() {
        return status.equals("ACTIVE");
    }
}
