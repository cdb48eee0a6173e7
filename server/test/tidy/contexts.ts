/**
 * The folders of server/src and the folders each may import. ARCHITECTURE.md shows the same list as a picture. The contexts have no cycle, and
 * slices inside one context may import each other. The files beside the contexts (app.ts, ports.ts …) have entries of their own; ports.ts
 * and app-options.ts contain types alone and may refer to contexts that import them.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  version: [],
  platform: ['core', 'ports'],
  catalog: ['core', 'ports', 'platform'],
  merchants: ['core', 'ports', 'platform', 'catalog'],
  access: ['core', 'ports', 'platform', 'catalog', 'merchants'],
  webhooks: ['core', 'ports', 'version', 'platform', 'catalog', 'merchants', 'access'],
  money: ['core', 'ports', 'platform', 'catalog', 'merchants', 'access', 'webhooks'],
  terminals: ['core', 'ports', 'platform', 'catalog', 'merchants', 'access', 'webhooks', 'money'],
  pages: ['core', 'ports', 'platform', 'catalog', 'merchants', 'access', 'webhooks', 'money', 'terminals'],
  runtime: ['core', 'ports', 'version', 'platform', 'catalog', 'merchants', 'access', 'webhooks', 'money', 'terminals'],
  /** Types alone: the ports that use cases take. */
  ports: ['core', 'platform', 'merchants', 'money'],
  'setting-values': ['core', 'access'],
  config: ['setting-values', 'core', 'platform', 'access'],
  /** Types alone. */
  'app-options': ['core', 'ports', 'setting-values', 'platform', 'money', 'runtime'],
  app: [
    ...['app-options', 'core', 'ports', 'version', 'config', 'setting-values'],
    ...['platform', 'catalog', 'merchants', 'access', 'webhooks', 'money', 'terminals', 'pages', 'runtime'],
  ],
  start: [
    ...['app', 'app-options', 'core', 'ports', 'version', 'config', 'setting-values'],
    ...['platform', 'catalog', 'merchants', 'access', 'webhooks', 'money', 'terminals', 'pages', 'runtime'],
  ],
  main: ['config', 'platform', 'runtime', 'start'],
}

/** The context of a file of server/src, or the file's own name at the top level. */
export function contextOf(path: string): string {
  const [first = ''] = path.split('/')
  return first.replace(/\.ts$/, '')
}

/** The slice of a file: context and folder, as `money/billing`. A file at the top level or in core is its context. */
export function sliceOf(path: string): string {
  const [context = '', slice = ''] = path.split('/')
  return context === 'core' || slice === '' || slice.endsWith('.ts') ? contextOf(path) : `${context}/${slice}`
}
