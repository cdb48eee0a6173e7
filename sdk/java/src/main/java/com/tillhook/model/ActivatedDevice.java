// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Activated device. */
public final class ActivatedDevice extends Model {
  public ActivatedDevice(Map<String, ?> fields) { super(fields); }
  public String deviceId() { return required("deviceId", Model::asText); }
  public String businessId() { return required("businessId", Model::asText); }
  public String storeId() { return required("storeId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String kid() { return required("kid", Model::asText); }
}
