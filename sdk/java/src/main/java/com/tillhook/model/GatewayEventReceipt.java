// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gateway event receipt. */
public final class GatewayEventReceipt extends Model {
  public GatewayEventReceipt(Map<String, ?> fields) { super(fields); }
  public boolean received() { return required("received", Model::asBoolean); }
}
