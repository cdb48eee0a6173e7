// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Catch up. */
public final class CatchUp extends Model {
  public CatchUp(Map<String, ?> fields) { super(fields); }
  public Instant outageFrom() { return required("outageFrom", Model::asInstant); }
  public Instant outageUntil() { return required("outageUntil", Model::asInstant); }
  public State state() { return required("state", State::of); }
  public String goesOnAt() { return required("goesOnAt", Model::asText); }
  public Optional<Instant> decidedAt() { return optional("decidedAt", Model::asInstant); }
  public Optional<Long> spreadDays() { return optional("spreadDays", Model::asLong); }
  public enum State implements Value {
    WAITING, RELEASED, SPREAD, WAIVED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
