// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Device request. */
public final class DeviceRequest extends Model {
  public DeviceRequest() {}
  public DeviceRequest(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public String serialNumber() { return required("serialNumber", Model::asText); }
  public DeviceRequest name(String name) { set("name", name); return this; }
  public DeviceRequest serialNumber(String serialNumber) { set("serialNumber", serialNumber); return this; }
}
