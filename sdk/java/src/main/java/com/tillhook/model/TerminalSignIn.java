// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Terminal sign in. */
public final class TerminalSignIn extends Model {
  public TerminalSignIn() {}
  public TerminalSignIn(Map<String, ?> fields) { super(fields); }
  public String userId() { return required("userId", Model::asText); }
  public String passcode() { return required("passcode", Model::asText); }
  public TerminalSignIn userId(String userId) { set("userId", userId); return this; }
  public TerminalSignIn passcode(String passcode) { set("passcode", passcode); return this; }
}
