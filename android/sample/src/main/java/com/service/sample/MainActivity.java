package com.service.sample;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.util.Log;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import com.service.billing.Billing;
import com.service.billing.BillingClient;
import com.service.billing.BillingException;
import com.service.billing.Plan;
import com.service.billing.PurchaseRequest;
import com.service.billing.Subscriptions;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Lists the plans of this app, sells them, and shows whether the merchant is subscribed. */
public final class MainActivity extends Activity {
    private static final int PURCHASE = 1;

    /** For tests; null: the terminal's store app. */
    static Billing replacement;

    private Billing billing;
    private TextView state;
    private LinearLayout plans;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        setContentView(R.layout.sample_main);
        state = findViewById(R.id.state);
        plans = findViewById(R.id.plans);
        billing = replacement != null ? replacement : BillingClient.of(this);
        showSubscriptions(billing.getSubscriptions());
    }

    private void showSubscriptions(CompletableFuture<Subscriptions> asked) {
        asked.whenComplete(new BiConsumer<Subscriptions, Throwable>() {
            @Override
            public void accept(Subscriptions subscriptions, Throwable failure) {
                if (failure != null) {
                    showFailure(failure);
                    return;
                }
                boolean isActive = subscriptions.isActive();
                String text = getString(isActive ? R.string.sample_active : R.string.sample_inactive);
                state.setText(subscriptions.isStale ? getString(R.string.sample_stale, subscriptions.staleSince) + "\n" + text : text);
                plans.removeAllViews();
                if (!isActive) showPlans();
            }
        });
    }

    /** The message of a failure is for people; its code and developerMessage belong in the log. */
    private void showFailure(Throwable failure) {
        Log.w("Sample", failure);
        boolean isBilling = failure instanceof BillingException;
        state.setText(isBilling ? ((BillingException) failure).getError().getMessage() : getString(R.string.sample_failed));
    }

    private void showPlans() {
        billing.getPlans().whenComplete(new BiConsumer<List<Plan>, Throwable>() {
            @Override
            public void accept(List<Plan> found, Throwable failure) {
                if (failure != null) {
                    showFailure(failure);
                    return;
                }
                for (Plan plan : found) plans.addView(buttonOf(plan));
            }
        });
    }

    private Button buttonOf(final Plan plan) {
        Button button = new Button(this);
        button.setText(plan.name + " · " + plan.price(Locale.getDefault()) + " · " + plan.interval);
        button.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                buy(plan);
            }
        });
        return button;
    }

    private void buy(Plan plan) {
        billing.startPurchase(this, PurchaseRequest.subscribe(plan.planId), PURCHASE)
                .whenComplete(new BiConsumer<Void, Throwable>() {
                    @Override
                    public void accept(Void nothing, Throwable failure) {
                        if (failure != null) showFailure(failure);
                    }
                });
    }

    @Override
    protected void onActivityResult(int requestCode, int resultCode, Intent data) {
        if (requestCode == PURCHASE) showSubscriptions(billing.onPurchaseResult(resultCode, data));
    }
}
