// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the notifications of an app of the last 30 days, newest first". */
public final class ListAppDeliveriesQuery extends Query {
  public ListAppDeliveriesQuery startAt(Instant startAt) { set("startAt", startAt); return this; }
  public ListAppDeliveriesQuery endAt(Instant endAt) { set("endAt", endAt); return this; }
  public ListAppDeliveriesQuery hookId(String hookId) { set("hookId", hookId); return this; }
  public ListAppDeliveriesQuery eventType(EventType eventType) { set("eventType", eventType); return this; }
  public ListAppDeliveriesQuery resourceId(String resourceId) { set("resourceId", resourceId); return this; }
  public ListAppDeliveriesQuery status(Status status) { set("status", status); return this; }
  public ListAppDeliveriesQuery limit(long limit) { set("limit", limit); return this; }
  public ListAppDeliveriesQuery after(String after) { set("after", after); return this; }
  public enum EventType implements Value {
    APPLICATION_SUBSCRIPTION_START, APPLICATION_SUBSCRIPTION_END, APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS, APPLICATION_SUBSCRIPTION_PAYMENT_FAIL, APPLICATION_SUBSCRIPTION_PHASE_CHANGE, APPLICATION_SUBSCRIPTION_REFUND_SUCCESS, APPLICATION_SUBSCRIPTION_TRIAL_ENDING, APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED, APPLICATION_SUBSCRIPTION_RESTORED, APPLICATION_SUBSCRIPTION_PLAN_CHANGE, APPLICATION_SUBSCRIPTION_TRANSFERRED, APPLICATION_SUBSCRIPTION_DISPUTE_OPENED, APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED, ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED, TEST,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    SCHEDULED, ERRORED_RETRYING, DELIVERED, ERRORED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
