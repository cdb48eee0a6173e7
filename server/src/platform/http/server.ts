import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyRequest, type FastifySchema, fastify } from 'fastify'
import type { Logger } from 'pino'
import { assert } from '../../core/assert.ts'
import type { NewId } from '../../core/id.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { RIGHTS } from '../../core/rights.ts'
import { defaultBrand } from '../brand/current.ts'
import type { AllowedNetworks } from '../egress/addresses.ts'
import { acceptBodies, pickKnown } from './body.ts'
import { compressAnswers } from './compress.ts'
import { createGrouping } from './group.ts'
import { trustIn } from './limits.ts'
import type { AnyPage } from './page.ts'
import { createPageServer, isFormWithFile, type PageOptions } from './page-server.ts'
import { type AdmissionOptions, createAdmission, type PerformPorts, perform } from './pipeline.ts'
import { noSessions, requestIdOf } from './ports.ts'
import type { AnyRoute } from './route.ts'
import { AJV_OPTIONS, COMPILERS, forSerializer } from './schemas.ts'
import {
  everyAnswerHeaders,
  type OnAppRequest,
  type OnRequestDone,
  recordDone,
  rejectionAnswer,
  send,
  sendError,
  sendRejection,
} from './send.ts'
import { acceptUploads, MULTIPART_TYPE, openForm, openUpload } from './upload.ts'

export interface HttpOptions extends AdmissionOptions, Omit<PerformPorts, 'checkAnswers' | 'rejectionFor' | 'group'> {
  readonly newId: NewId
  /** Absent: no pages. */
  readonly web?: PageOptions
  readonly log: Logger
  /** True: an answer whose schema drops or changes a value becomes 500. Default: true, for tests; the service passes false. */
  readonly checkAnswers?: boolean
  readonly onRequestDone?: OnRequestDone
  readonly onAppRequest?: OnAppRequest
  readonly patience?: Partial<Patience>
  /** The largest accepted file. Default: 100 MiB. */
  readonly maxFileBytes?: number
  /** Proxies whose `X-Forwarded-For` names the caller. Default: none. */
  readonly trustedProxies?: AllowedNetworks
  /** Adds hooks that run before all others, for tracing. */
  readonly follow?: (app: FastifyInstance) => void
}

/** Timeouts. A few slow clients could otherwise hold every connection. */
export interface Patience {
  /** For the headers. A slower client gets 400, and the connection closes. */
  readonly headersWithinMs: number
  /** For receiving a whole request, headers and body. The answer may take longer. */
  readonly requestWithinMs: number
  /** For a connection without a byte in either direction. Longer than any request takes. */
  readonly stillMs: number
  readonly lookEveryMs: number
}

const PATIENCE: Patience = {
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  // The longest request advances a test clock: 30 s and the current step.
  stillMs: 60_000,
  lookEveryMs: 2_000,
}

const KIB = 1024
const MAX_BODY_BYTES = 1024 * KIB
/** Most app packages are a tenth of this size. */
const MAX_FILE_BYTES = 100 * 1024 * KIB
const MAX_HEADER_BYTES = 16 * KIB
/** Longer than any percent-encoded identifier. */
const MAX_PARAM_LENGTH = 500

/** One year, without subdomains, which may belong to other services. */
const HSTS = 'max-age=31536000'

const NO_PAGES: PageOptions = {
  pages: [],
  sessions: noSessions,
  masterKey: Buffer.alloc(0),
  served: { baseUrl: 'http://127.0.0.1', billingUrl: 'http://127.0.0.1' },
}

/** The HTTP server for a list of routes and pages. pipeline.ts has the steps of a request. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { routes, newId, log, checkAnswers = true, maxFileBytes: maxBytes = MAX_FILE_BYTES } = options
  const patience = { ...PATIENCE, ...options.patience }
  const app = fastify({
    trustProxy: trustIn(options.trustedProxies ?? []),
    genReqId: request => requestIdOf(request.headers, newId),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newId),
    frameworkErrors: (error, _request, reply) => void sendError(log, error, reply),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: patience.requestWithinMs,
    connectionTimeout: patience.stillMs,
    http: {
      headersTimeout: patience.headersWithinMs,
      connectionsCheckingInterval: patience.lookEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The pipeline rejects a missing Host header with our error body.
      requireHostHeader: false,
    },
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    ajv: { customOptions: AJV_OPTIONS },
    schemaController: { compilersFactory: COMPILERS },
  })
  // RFC 9110, 10.1.1: a server may ignore an expectation. Node would reject the request without our error body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket: Socket) => answerConnect(socket, newId))
  const { brand = defaultBrand } = options.web ?? NO_PAGES
  app.decorate('brand', () => brand.known)
  app.decorateRequest('caller', null)
  app.decorateRequest('bodyBytes', null)
  app.decorateRequest('openUpload', null)
  app.decorateRequest('visit', null)
  app.decorateRequest('isForPerson', false)
  app.setErrorHandler((error, _request, reply) => sendError(log, error, reply))

  options.follow?.(app)
  const pageServer = createPageServer(options.web ?? NO_PAGES)
  const admission = createAdmission(options, pageServer)
  const { parse, readJson } = acceptBodies(app)
  const endConnections = followConnections(app.server)
  app.addHook('preClose', async () => {
    admission.close()
    endConnections()
  })
  app.addHook('onRequest', async (request, reply) => {
    const rejection = await admission.admit(request, reply)
    if (rejection !== null) return sendRejection(reply, rejection)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const { route, page } = request.routeOptions.config
    if (page === undefined && (route === undefined || isUpload(route, request))) return done()
    if (page !== undefined && isFormWithFile(page, request)) return done()
    const parsed = route === undefined ? pageServer.takeForm(page, request) : parse(route, request)
    if (isRejection(parsed)) return void sendRejection(reply, admission.rejectionFor(request, parsed))
    request.body = parsed.value
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const { route, page } = request.routeOptions.config
    const schema = route?.body ?? page?.form
    if (schema !== undefined) request.body = pickKnown(schema, request.body)
    done()
  })
  const isHttps = options.web?.served.baseUrl.startsWith('https:')
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isHttps) reply.header('strict-transport-security', HSTS)
    if (admission.closing) reply.header('connection', 'close')
    // nginx would hold the messages back until its buffer is full.
    if (reply.getHeader('content-type') === 'text/event-stream') reply.header('x-accel-buffering', 'no')
    done()
  })
  compressAnswers(app)
  app.addHook('onResponse', (request, reply, done) => {
    recordDone(log, options, request, reply)
    done()
  })

  const ports = {
    ...options,
    checkAnswers,
    rejectionFor: admission.rejectionFor,
    group: createGrouping(options.idempotency),
  }
  const serve = (at: FastifyInstance, route: AnyRoute) => {
    assertHasRights(route)
    at.route({
      method: route.method,
      url: route.path,
      config: { route },
      schema: schemaOf(route),
      ...(route.maxBodyBytes !== undefined && { bodyLimit: route.maxBodyBytes }),
      handler: async (request, reply) => send(reply, await perform(ports, route, request, reply)),
    })
  }
  for (const route of routes) if (route.upload === undefined) serve(app, route)
  for (const page of pageServer.pages) assertHasRights(page)
  pageServer.register(app, options, { withFile: false })
  // A scope of its own: all other routes receive every body as bytes.
  app.register(async scope => {
    acceptUploads(scope)
    scope.addHook('preValidation', async (request, reply) => {
      const { route, page } = request.routeOptions.config
      if (page?.file !== undefined && isFormWithFile(page, request)) {
        const opened = await openForm(request, page.file, { newId, maxBytes })
        if (isRejection(opened)) return sendRejection(reply, opened)
        request.bodyBytes = opened.fields
        request.openUpload = opened
        const taken = pageServer.takeForm(page, request)
        if (isRejection(taken)) return sendRejection(reply, admission.rejectionFor(request, taken))
        request.body = taken.value
        return
      }
      if (route?.upload === undefined || !isUpload(route, request)) return
      const upload = await openUpload(request, route.upload, {
        ...{ newId, readJson },
        maxBytes: Math.min(maxBytes, route.upload.maxBytes ?? maxBytes),
      })
      if (isRejection(upload)) return sendRejection(reply, upload)
      request.body = upload.value
      request.bodyBytes = upload.json
      request.openUpload = upload
    })
    for (const route of routes) if (route.upload !== undefined) serve(scope, route)
    pageServer.register(scope, options, { withFile: true })
  })
  return app
}

function isUpload(route: AnyRoute, { mediaType }: FastifyRequest): boolean {
  return route.upload !== undefined && mediaType === MULTIPART_TYPE
}

/** Decisions 3: "a route without a row does not start". The compiler reports a missing row first, unless a cast hides it. */
function assertHasRights({ method, path, operation }: AnyRoute | AnyPage): void {
  assert(Object.hasOwn(RIGHTS, operation), `${method} ${path}: core/rights.ts has no row for ${operation}`)
}

function schemaOf({ params, query, body, headers, answers }: AnyRoute): FastifySchema {
  const response = Object.fromEntries(
    Object.entries(answers).flatMap(([status, schema]) => (schema === null ? [] : [[status, forSerializer(schema)]])),
  )
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(headers && { headers }),
    response,
  }
}

/** The longest time that a stop waits for running requests. */
const STOP_WITHIN_MS = 10_000

/** A client that has just connected may still send its request, and gets 503. */
const MAY_STILL_ASK_MS = 500

/**
 * Tracks the connections of a server, because Node's stop waits forever for a connection without a request. Call the
 * returned function when the stop begins: idle connections end soon, the others after their answer.
 */
function followConnections(server: Server): () => void {
  const connections = new Set<Socket>()
  const answering = new Map<Socket, number>()
  let stopping = false

  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1
      if (left > 0) answering.set(socket, left)
      else answering.delete(socket)
      if (stopping && left === 0) socket.end()
    })
  })

  return () => {
    stopping = true
    setTimeout(() => {
      for (const socket of connections) if (!answering.has(socket)) socket.destroy()
    }, MAY_STILL_ASK_MS).unref()
    setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS).unref()
  }
}

/** Long enough for the answer to arrive. */
const CLOSE_AFTER_MS = 500

/** Answers invalid or late HTTP with our error body and closes the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket, newId: NewId): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  if (!socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy()
    return
  }
  answerOnSocket(rejectionOf(error.code), socket, newId)
}

/** Node emits no request for CONNECT, which would open a tunnel. */
function answerConnect(socket: Socket, newId: NewId): void {
  socket.on('error', () => {})
  answerOnSocket(reject('INVALID_REQUEST', 'This server is not a proxy.'), socket, newId)
}

function answerOnSocket(rejection: Rejection, socket: Socket, newId: NewId): void {
  const requestId = newId()
  const { status, headers, body } = rejectionAnswer(rejection, requestId)
  const lines = Object.entries({
    ...everyAnswerHeaders(requestId),
    ...headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

function rejectionOf(code: string | undefined): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') return reject('HEADERS_TOO_LARGE', 'Send at most 16 KiB of address and headers.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return reject('PAYLOAD_TOO_LARGE', 'Send no chunk extensions.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return reject('INVALID_REQUEST', 'The request did not arrive in time.')
  return reject('INVALID_REQUEST', 'This is not a valid HTTP request (RFC 9112).')
}

/** A second answer would corrupt an answer in progress, which Node keeps on the socket. */
function hasBegunToAnswer(socket: Socket): boolean {
  const { _httpMessage: current } = socket as { _httpMessage?: { headersSent: boolean } | null }
  return current?.headersSent === true
}
