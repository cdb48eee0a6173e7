// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brand. */
public final class Brand extends Model {
  public Brand(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public Optional<String> accent() { return optional("accent", Model::asText); }
  public Optional<String> supportUrl() { return optional("supportUrl", Model::asText); }
  public Optional<String> termsUrl() { return optional("termsUrl", Model::asText); }
  public Optional<String> privacyUrl() { return optional("privacyUrl", Model::asText); }
  public Optional<String> imprintUrl() { return optional("imprintUrl", Model::asText); }
  public Optional<String> mailName() { return optional("mailName", Model::asText); }
  public Optional<Logo> logo() { return optional("logo", object(Logo::new)); }
  public static final class Logo extends Model {
    public Logo(Map<String, ?> fields) { super(fields); }
    public String url() { return required("url", Model::asText); }
    public String contentType() { return required("contentType", Model::asText); }
  }
}
