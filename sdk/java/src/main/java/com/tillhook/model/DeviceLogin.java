// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Device login. */
public final class DeviceLogin extends Model {
  public DeviceLogin(Map<String, ?> fields) { super(fields); }
  public String deviceCode() { return required("deviceCode", Model::asText); }
  public String userCode() { return required("userCode", Model::asText); }
  public String verificationUri() { return required("verificationUri", Model::asText); }
  public String verificationUriComplete() { return required("verificationUriComplete", Model::asText); }
  public long expiresIn() { return required("expiresIn", Model::asLong); }
  public long interval() { return required("interval", Model::asLong); }
}
