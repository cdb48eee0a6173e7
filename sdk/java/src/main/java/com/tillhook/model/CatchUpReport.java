// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Catch up report. */
public final class CatchUpReport extends Model {
  public CatchUpReport(Map<String, ?> fields) { super(fields); }
  public Optional<CatchUp> catchUp() { return optional("catchUp", object(CatchUp::new)); }
  public List<DryRun> dryRun() { return list("dryRun", object(DryRun::new)); }
  public boolean isCut() { return required("isCut", Model::asBoolean); }
  /** The last outage of more than a day. Absent: no such outage */
  public static final class CatchUp extends Model {
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
  public static final class DryRun extends Model {
    public DryRun(Map<String, ?> fields) { super(fields); }
    public String appId() { return required("appId", Model::asText); }
    public Instant day() { return required("day", Model::asInstant); }
    public String currency() { return required("currency", Model::asText); }
    public long charges() { return required("charges", Model::asLong); }
    public long amount() { return required("amount", Model::asLong); }
  }
}
