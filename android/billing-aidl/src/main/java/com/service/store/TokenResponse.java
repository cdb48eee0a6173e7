package com.service.store;

import android.os.Parcel;
import android.os.Parcelable;

/** An access token as POST /token answers it, without a refresh token: an app asks for another one instead. */
public final class TokenResponse implements Parcelable {
    private final String accessToken;
    private final int expiresIn;
    private final String scope;
    private final String tokenType;

    public TokenResponse(String accessToken, int expiresIn, String scope, String tokenType) {
        this.accessToken = accessToken;
        this.expiresIn = expiresIn;
        this.scope = scope;
        this.tokenType = tokenType;
    }

    public String getAccessToken() {
        return accessToken;
    }

    /** Seconds. */
    public int getExpiresIn() {
        return expiresIn;
    }

    public String getScope() {
        return scope;
    }

    public String getTokenType() {
        return tokenType;
    }

    @Override
    public int describeContents() {
        return 0;
    }

    @Override
    public void writeToParcel(Parcel out, int flags) {
        out.writeString(accessToken);
        out.writeInt(expiresIn);
        out.writeString(scope);
        out.writeString(tokenType);
    }

    public static final Creator<TokenResponse> CREATOR = new Creator<TokenResponse>() {
        @Override
        public TokenResponse createFromParcel(Parcel in) {
            return new TokenResponse(in.readString(), in.readInt(), in.readString(), in.readString());
        }

        @Override
        public TokenResponse[] newArray(int size) {
            return new TokenResponse[size];
        }
    };
}
