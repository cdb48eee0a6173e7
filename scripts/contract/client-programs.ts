/** The program of each generated client. It lists the subscriptions of an app with a token, and prints their ids, one per line. */
export const JAVA_NATIVE = java(`
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("TILLHOOK_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TILLHOOK_TOKEN")));`)

export const JAVA_OKHTTP = java(`
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("TILLHOOK_URL"));
    ((org.openapitools.client.auth.HttpBearerAuth) client.getAuthentication("accessToken")).setBearerToken(System.getenv("TILLHOOK_TOKEN"));`)

function java(client: string): string {
  return `import org.openapitools.client.ApiClient;
import org.openapitools.client.api.SubscriptionsApi;

public class ListSubscriptions {
  public static void main(String[] args) throws Exception {${client}
    new SubscriptionsApi(client)
        .listSubscriptions(System.getenv("TILLHOOK_APP"), null, null, null, null, null, null, null, null, null, null, null)
        .getList()
        .forEach(subscription -> System.out.println(subscription.getSubscriptionId()));
    // okhttp keeps threads for a minute.
    System.exit(0);
  }
}
`
}

export const GO = `package main

import (
	"context"
	"fmt"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("TILLHOOK_URL")}}
	token := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("TILLHOOK_TOKEN"))
	api := openapi.NewAPIClient(configuration).SubscriptionsAPI
	page, _, err := api.ListSubscriptions(token, os.Getenv("TILLHOOK_APP")).Execute()
	if err != nil {
		panic(err)
	}
	for _, subscription := range page.List {
		fmt.Println(subscription.SubscriptionId)
	}
}
`

export const PYTHON = `import os
from openapi_client import ApiClient, Configuration, SubscriptionsApi

configuration = Configuration(host=os.environ["TILLHOOK_URL"], access_token=os.environ["TILLHOOK_TOKEN"])
with ApiClient(configuration) as client:
    for subscription in SubscriptionsApi(client).list_subscriptions(os.environ["TILLHOOK_APP"]).list:
        print(subscription.subscription_id)
`

export const TYPESCRIPT_FETCH = `import { Configuration, SubscriptionsApi } from './index'

const { TILLHOOK_URL = '', TILLHOOK_TOKEN = '', TILLHOOK_APP = '' } = process.env
const api = new SubscriptionsApi(new Configuration({ basePath: TILLHOOK_URL, accessToken: TILLHOOK_TOKEN }))
api.listSubscriptions({ appId: TILLHOOK_APP }).then(({ list }) => {
  for (const { subscriptionId } of list) console.log(subscriptionId)
})
`

export const OPENAPI_FETCH = `import createClient from 'openapi-fetch'
import type { paths } from './openapi.ts'

const { TILLHOOK_URL = '', TILLHOOK_TOKEN = '', TILLHOOK_APP = '' } = process.env
const client = createClient<paths>({ baseUrl: TILLHOOK_URL, headers: { authorization: \`Bearer \${TILLHOOK_TOKEN}\` } })
const { data } = await client.GET('/apps/{appId}/subscriptions', { params: { path: { appId: TILLHOOK_APP } } })
for (const { subscriptionId } of data?.list ?? []) console.log(subscriptionId)
`
