package com.service.store;

parcelable TokenResponse;
