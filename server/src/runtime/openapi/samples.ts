import type { Operation } from './openapi.ts'
import { isOpen } from './security.ts'

export interface Sample {
  readonly language: string
  readonly code: string
}

/** An operation at its address. */
export interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** One call in the languages of the guides. Path parameters stay in braces for the reader to fill in. */
export function samplesOf({ method, path, operation }: Entry, baseUrl: string): Sample[] {
  const url = baseUrl + path
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isForm = type === 'application/x-www-form-urlencoded'
  const example = media?.example
  const body =
    example === undefined
      ? undefined
      : isForm
        ? new URLSearchParams(example as Record<string, string>).toString()
        : JSON.stringify(example)
  const headers: [string, string][] = [
    ...(isOpen(operation.security) ? [] : ([['Authorization', 'Bearer TOKEN']] as [string, string][])),
    ...(body === undefined ? [] : ([['Content-Type', type ?? '']] as [string, string][])),
  ]
  const verb = method.toUpperCase()
  return [
    { language: 'curl', code: curl(verb, url, headers, body) },
    { language: 'TypeScript', code: typescript(verb, url, headers, body) },
    { language: 'Python', code: python(method, url, headers, body) },
    { language: 'Java', code: java(verb, url, headers, body) },
    { language: 'Go', code: go(verb, url, headers, body) },
  ]
}

type Headers = readonly (readonly [name: string, value: string])[]

function curl(verb: string, url: string, headers: Headers, body: string | undefined): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  return [
    `curl -X ${verb} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function typescript(verb: string, url: string, headers: Headers, body: string | undefined): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(verb)},
  headers: ${JSON.stringify(Object.fromEntries(headers))},${body === undefined ? '' : `\n  body: ${JSON.stringify(body)},`}
})
const answer = await response.text()`
}

function python(method: string, url: string, headers: Headers, body: string | undefined): string {
  return `import httpx

response = httpx.${method}(
    ${JSON.stringify(url)},
    headers=${JSON.stringify(Object.fromEntries(headers))},${body === undefined ? '' : `\n    content=${JSON.stringify(body)},`}
)
print(response.status_code, response.text)`
}

function java(verb: string, url: string, headers: Headers, body: string | undefined): string {
  const publisher = body === undefined ? 'noBody()' : `ofString(${JSON.stringify(body)})`
  return `var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))
${headers.map(([name, value]) => `    .header(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`).join('')}    .method(${JSON.stringify(verb)}, HttpRequest.BodyPublishers.${publisher})
    .build();
var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.statusCode() + " " + response.body());`
}

function go(verb: string, url: string, headers: Headers, body: string | undefined): string {
  const reader = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`
  return `request, err := http.NewRequest(${JSON.stringify(verb)}, ${JSON.stringify(url)}, ${reader})
if err != nil {
\tlog.Fatal(err)
}
${headers.map(([name, value]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`).join('')}response, err := http.DefaultClient.Do(request)
if err != nil {
\tlog.Fatal(err)
}
defer response.Body.Close()
io.Copy(os.Stdout, response.Body)`
}
