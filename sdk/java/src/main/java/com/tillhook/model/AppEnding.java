// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** App ending. */
public final class AppEnding extends Model {
  public AppEnding(Map<String, ?> fields) { super(fields); }
  public String endingId() { return required("endingId", Model::asText); }
  public String appId() { return required("appId", Model::asText); }
  public boolean refundUnused() { return required("refundUnused", Model::asBoolean); }
  public State state() { return required("state", State::of); }
  public Progress progress() { return required("progress", object(Progress::new)); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public enum State implements Value {
    RUNNING, DONE, STOPPED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static State of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Progress extends Model {
    public Progress(Map<String, ?> fields) { super(fields); }
    public long percent() { return required("percent", Model::asLong); }
    public long total() { return required("total", Model::asLong); }
    public long ended() { return required("ended", Model::asLong); }
    public long refunds() { return required("refunds", Model::asLong); }
    public long failed() { return required("failed", Model::asLong); }
  }
}
