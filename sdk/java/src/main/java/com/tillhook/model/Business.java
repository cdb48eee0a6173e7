// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business. */
public final class Business extends Model {
  public Business(Map<String, ?> fields) { super(fields); }
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
  public Optional<String> billingEmail() { return optional("billingEmail", Model::asText); }
  public Optional<String> taxId() { return optional("taxId", Model::asText); }
  public Optional<TaxIdStatus> taxIdStatus() { return optional("taxIdStatus", TaxIdStatus::of); }
  public Optional<Language> language() { return optional("language", Language::of); }
  public List<MailsOff> mailsOff() { return list("mailsOff", MailsOff::of); }
  public List<Store> stores() { return list("stores", object(Store::new)); }
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
  public enum TaxIdStatus implements Value {
    UNVERIFIED, VALID, INVALID,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static TaxIdStatus of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum Language implements Value {
    EN("en"), DE("de"), FR("fr"), ES("es"),
    /** A value that is newer than this SDK. */
    UNRECOGNIZED("UNRECOGNIZED");

    private final String value;
    Language(String value) { this.value = value; }
    @Override public String value() { return value; }
    static Language of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public enum MailsOff implements Value {
    RECEIPT, CARD_EXPIRING, RESTORED, REFUND,
    /** A value that is newer than this SDK. */
    UNRECOGNIZED;

    static MailsOff of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
  }
  public static final class Store extends Model {
    public Store(Map<String, ?> fields) { super(fields); }
    public String storeId() { return required("storeId", Model::asText); }
    public String displayName() { return required("displayName", Model::asText); }
    public Status status() { return required("status", Status::of); }
    public List<Device> devices() { return list("devices", object(Device::new)); }
    public Instant createdAt() { return required("createdAt", Model::asInstant); }
    public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
    public enum Status implements Value {
      ACTIVE, CLOSED,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
    public static final class Device extends Model {
      public Device(Map<String, ?> fields) { super(fields); }
      public String deviceId() { return required("deviceId", Model::asText); }
      public String name() { return required("name", Model::asText); }
      public String serialNumber() { return required("serialNumber", Model::asText); }
      public Status status() { return required("status", Status::of); }
      public Optional<Instant> lastSeenAt() { return optional("lastSeenAt", Model::asInstant); }
      public Instant createdAt() { return required("createdAt", Model::asInstant); }
      public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
      public enum Status implements Value {
        NEW, ACTIVE, CLOSED,
        /** A value that is newer than this SDK. */
        UNRECOGNIZED;

        static Status of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
      }
    }
  }
}
