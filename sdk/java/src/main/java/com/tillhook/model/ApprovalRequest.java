// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Approval request. */
public final class ApprovalRequest extends Model {
  public ApprovalRequest() {}
  public ApprovalRequest(Map<String, ?> fields) { super(fields); }
  public String appId() { return required("appId", Model::asText); }
  public List<Right> rights() { return list("rights", Right::of); }
  public ApprovalRequest appId(String appId) { set("appId", appId); return this; }
  public ApprovalRequest rights(List<Right> rights) { set("rights", rights); return this; }
  public enum Right implements Value {
    READ, SUBSCRIBE,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Right of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
