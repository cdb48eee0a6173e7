// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brand request. */
public final class BrandRequest extends Model {
  public BrandRequest() {}
  public BrandRequest(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public Optional<String> accent() { return optional("accent", Model::asText); }
  public Optional<String> supportUrl() { return optional("supportUrl", Model::asText); }
  public Optional<String> termsUrl() { return optional("termsUrl", Model::asText); }
  public Optional<String> privacyUrl() { return optional("privacyUrl", Model::asText); }
  public Optional<String> imprintUrl() { return optional("imprintUrl", Model::asText); }
  public Optional<String> mailName() { return optional("mailName", Model::asText); }
  public BrandRequest name(String name) { set("name", name); return this; }
  public BrandRequest accent(String accent) { set("accent", accent); return this; }
  public BrandRequest supportUrl(String supportUrl) { set("supportUrl", supportUrl); return this; }
  public BrandRequest termsUrl(String termsUrl) { set("termsUrl", termsUrl); return this; }
  public BrandRequest privacyUrl(String privacyUrl) { set("privacyUrl", privacyUrl); return this; }
  public BrandRequest imprintUrl(String imprintUrl) { set("imprintUrl", imprintUrl); return this; }
  public BrandRequest mailName(String mailName) { set("mailName", mailName); return this; }
}
