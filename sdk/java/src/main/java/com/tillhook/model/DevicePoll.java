// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Device poll. */
public final class DevicePoll extends Model {
  public DevicePoll() {}
  public DevicePoll(Map<String, ?> fields) { super(fields); }
  public String deviceCode() { return required("deviceCode", Model::asText); }
  public DevicePoll deviceCode(String deviceCode) { set("deviceCode", deviceCode); return this; }
}
