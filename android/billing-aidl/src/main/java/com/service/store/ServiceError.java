package com.service.store;

import android.os.Parcel;
import android.os.Parcelable;

/** The reason why a call failed. */
public final class ServiceError implements Parcelable {
    private final String code;
    private final String message;
    private final String developerMessage;
    private final String requestId;

    public ServiceError(String code, String message, String developerMessage, String requestId) {
        this.code = code;
        this.message = message;
        this.developerMessage = developerMessage;
        this.requestId = requestId;
    }

    /** Stable; branch on this field only. */
    public String getCode() {
        return code;
    }

    /** Can be shown to a person. */
    public String getMessage() {
        return message;
    }

    /** Says what to do about the error. */
    public String getDeveloperMessage() {
        return developerMessage;
    }

    /** Quote this id to support. */
    public String getRequestId() {
        return requestId;
    }

    @Override
    public int describeContents() {
        return 0;
    }

    @Override
    public void writeToParcel(Parcel out, int flags) {
        out.writeString(code);
        out.writeString(message);
        out.writeString(developerMessage);
        out.writeString(requestId);
    }

    @Override
    public String toString() {
        return code + ": " + developerMessage + " (request " + requestId + ")";
    }

    public static final Creator<ServiceError> CREATOR = new Creator<ServiceError>() {
        @Override
        public ServiceError createFromParcel(Parcel in) {
            return new ServiceError(in.readString(), in.readString(), in.readString(), in.readString());
        }

        @Override
        public ServiceError[] newArray(int size) {
            return new ServiceError[size];
        }
    };
}
