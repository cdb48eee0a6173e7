// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One message of the stream */
public final class EventStreamMessage extends Model {
  public EventStreamMessage(Map<String, ?> fields) { super(fields); }
  public Optional<String> id() { return optional("id", Model::asText); }
  public Event event() { return required("event", Event::of); }
  public String data() { return required("data", Model::asText); }
  public Optional<Long> retry() { return optional("retry", Model::asLong); }
  public enum Event implements Value {
    STREAM("stream"), NOTIFICATION("notification"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Event(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Event of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
