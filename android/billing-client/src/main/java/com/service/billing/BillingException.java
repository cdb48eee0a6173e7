package com.service.billing;

import com.service.store.ServiceError;

/** A call that the service or the connection to it failed. */
public final class BillingException extends Exception {
    /** The store app is not installed, or does not let this app bind. */
    public static final String SERVICE_MISSING = "SERVICE_MISSING";
    /** The connection to the store app ended during the call. */
    public static final String DISCONNECTED = "DISCONNECTED";
    /** The store app did not answer in time. */
    public static final String TIMEOUT = "TIMEOUT";

    private final ServiceError error;

    public BillingException(ServiceError error) {
        super(error.toString());
        this.error = error;
    }

    BillingException(String code, String message, String developerMessage, String requestId) {
        this(new ServiceError(code, message, developerMessage, requestId));
    }

    public ServiceError getError() {
        return error;
    }

    public String getCode() {
        return error.getCode();
    }

    /** Whether the same call may succeed shortly. */
    boolean isRetryable() {
        String code = getCode();
        return code.equals("SERVICE_UNAVAILABLE") || code.equals("UNREACHABLE") || code.equals("TOO_MANY_REQUESTS")
                || code.equals(DISCONNECTED) || code.equals(TIMEOUT);
    }
}
