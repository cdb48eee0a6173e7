package com.service.sample;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.ComponentName;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import com.service.billing.testing.FakeBilling;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

/** The sample with the fake of the library, as an app developer would test an own app. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {24, 34})
public class MainActivityTest {
    private final FakeBilling billing = new FakeBilling();

    @After
    public void realAgain() {
        MainActivity.replacement = null;
    }

    private MainActivity open() {
        MainActivity.replacement = billing;
        shadowOf(RuntimeEnvironment.getApplication().getPackageManager())
                .addActivityIfNotPresent(new ComponentName(RuntimeEnvironment.getApplication(), MainActivity.class));
        return Robolectric.buildActivity(MainActivity.class).setup().get();
    }

    private static String stateOf(Activity activity) {
        return ((TextView) activity.findViewById(R.id.state)).getText().toString();
    }

    private static LinearLayout plansOf(Activity activity) {
        return activity.findViewById(R.id.plans);
    }

    @Test
    public void aPlanIsShownBoughtAndActive() {
        billing.addPlan("p", "Gold", 500, "USD");
        MainActivity activity = open();
        assertEquals("Choose a plan:", stateOf(activity));
        Button gold = (Button) plansOf(activity).getChildAt(0);
        assertEquals("Gold · $5.00 · MONTH", gold.getText().toString());
        gold.performClick();
        activity.onActivityResult(1, Activity.RESULT_OK, null);
        assertEquals("Subscribed. Thank you!", stateOf(activity));
        assertEquals(0, plansOf(activity).getChildCount());
    }

    @Test
    public void aCancelledPurchaseLeavesThePlans() {
        MainActivity activity = open();
        billing.addPlan("p", "Gold", 500, "USD");
        activity.onActivityResult(1, Activity.RESULT_CANCELED, null);
        assertEquals(1, plansOf(activity).getChildCount());
    }

    @Test
    public void anOutageIsShown() {
        billing.addSubscription("p").stale();
        assertTrue(stateOf(open()).startsWith("No connection."));
        billing.failWith("UNREACHABLE");
        assertEquals("It failed.", stateOf(open()));
    }
}
