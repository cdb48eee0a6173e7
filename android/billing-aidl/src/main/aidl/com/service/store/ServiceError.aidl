package com.service.store;

parcelable ServiceError;
