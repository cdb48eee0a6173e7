// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answered dispute. */
public final class AnsweredDispute extends Model {
  public AnsweredDispute(Map<String, ?> fields) { super(fields); }
  public String disputeId() { return required("disputeId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Optional<String> evidenceDueAt() { return optional("evidenceDueAt", Model::asText); }
  public Optional<Evidence> evidence() { return optional("evidence", object(Evidence::new)); }
  public Optional<Instant> evidenceSentAt() { return optional("evidenceSentAt", Model::asInstant); }
  public enum Status implements Value {
    OPEN, LOST, WON,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  /** Absent: none was sent */
  public static final class Evidence extends Model {
    public Evidence(Map<String, ?> fields) { super(fields); }
    public Optional<String> productDescription() { return optional("productDescription", Model::asText); }
    public Optional<String> customerCommunication() { return optional("customerCommunication", Model::asText); }
    public Optional<String> uncategorizedText() { return optional("uncategorizedText", Model::asText); }
  }
}
