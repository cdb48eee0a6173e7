// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Order events. */
public final class OrderEvents extends Model {
  public OrderEvents() {}
  public OrderEvents(Map<String, ?> fields) { super(fields); }
  public List<Event> events() { return list("events", object(Event::new)); }
  public OrderEvents events(List<Event> events) { set("events", events); return this; }
  public static final class Event extends Model {
    public Event() {}
    public Event(Map<String, ?> fields) { super(fields); }
    public String id() { return required("id", Model::asText); }
    public EventType eventType() { return required("eventType", EventType::of); }
    public String orderId() { return required("orderId", Model::asText); }
    public String businessId() { return required("businessId", Model::asText); }
    public Optional<String> storeId() { return optional("storeId", Model::asText); }
    public Optional<String> deviceId() { return optional("deviceId", Model::asText); }
    public Optional<Long> amount() { return optional("amount", Model::asLong); }
    public Optional<String> currency() { return optional("currency", Model::asText); }
    public Optional<String> reference() { return optional("reference", Model::asText); }
    public Optional<String> note() { return optional("note", Model::asText); }
    public Event id(String id) { set("id", id); return this; }
    public Event eventType(EventType eventType) { set("eventType", eventType); return this; }
    public Event orderId(String orderId) { set("orderId", orderId); return this; }
    public Event businessId(String businessId) { set("businessId", businessId); return this; }
    public Event storeId(String storeId) { set("storeId", storeId); return this; }
    public Event deviceId(String deviceId) { set("deviceId", deviceId); return this; }
    public Event amount(long amount) { set("amount", amount); return this; }
    public Event currency(String currency) { set("currency", currency); return this; }
    public Event reference(String reference) { set("reference", reference); return this; }
    public Event note(String note) { set("note", note); return this; }
    public enum EventType implements Value {
      ORDER_OPENED, ORDER_COMPLETED, ORDER_CANCELLED, ORDER_UPDATED,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static EventType of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
}
