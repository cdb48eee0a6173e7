// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business summary. */
public final class BusinessSummary extends Model {
  public BusinessSummary(Map<String, ?> fields) { super(fields); }
  public String businessId() { return required("businessId", Model::asText); }
  public String id() { return required("id", Model::asText); }
  public String legalName() { return required("legalName", Model::asText); }
  public String doingBusinessAs() { return required("doingBusinessAs", Model::asText); }
  public String emailAddress() { return required("emailAddress", Model::asText); }
  public Optional<Phone> phone() { return optional("phone", object(Phone::new)); }
  public Optional<Address> address() { return optional("address", object(Address::new)); }
  public String country() { return required("country", Model::asText); }
  public String timezone() { return required("timezone", Model::asText); }
  public Type type() { return required("type", Type::of); }
  public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
  public Status status() { return required("status", Status::of); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
  public static final class Phone extends Model {
    public Phone(Map<String, ?> fields) { super(fields); }
    public Optional<String> ituCountryCode() { return optional("ituCountryCode", Model::asText); }
    public Optional<String> areaCode() { return optional("areaCode", Model::asText); }
    public Optional<String> localPhoneNumber() { return optional("localPhoneNumber", Model::asText); }
  }
  public static final class Address extends Model {
    public Address(Map<String, ?> fields) { super(fields); }
    public Optional<String> line1() { return optional("line1", Model::asText); }
    public Optional<String> line2() { return optional("line2", Model::asText); }
    public Optional<String> city() { return optional("city", Model::asText); }
    public Optional<String> territory() { return optional("territory", Model::asText); }
    public Optional<String> postalCode() { return optional("postalCode", Model::asText); }
    public Optional<String> countryCode() { return optional("countryCode", Model::asText); }
  }
  public enum Type implements Value {
    MERCHANT, TEST_MERCHANT,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Type of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Status implements Value {
    ACTIVE, CLOSED,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
}
