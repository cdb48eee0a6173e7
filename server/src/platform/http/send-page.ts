import type { FastifyReply } from 'fastify'
import { printCookie } from './cookies.ts'
import type { Bytes, PageAnswer } from './page.ts'
import { pageHeaders } from './page-headers.ts'
import { everyAnswerHeaders } from './wire-answer.ts'

/** A page as its bytes go out, with the cookies that it and its forms need. */
export function sendPage(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  const { id, visit, routeOptions } = reply.request
  const mayBeFramed = routeOptions.config.page?.mayBeFramed
  const wishes = { ...('html' in answer ? answer : {}), ...(mayBeFramed && { mayBeFramed }) }
  const headers = { ...everyAnswerHeaders(id), ...pageHeaders(wishes) }
  reply.headers(headers)
  if (visit !== null) {
    const cookies = [...visit.newCookies, ...(('cookies' in answer && answer.cookies) || [])]
    for (const cookie of cookies) reply.header('set-cookie', printCookie(cookie, visit.isSecure))
  }
  if ('location' in answer) return reply.code(303).header('location', answer.location).send()
  if ('content' in answer) return sendBytes(reply, answer)
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .header('content-type', 'text/html; charset=utf-8')
    .send(answer.html.text)
}

function sendBytes(reply: FastifyReply, { type, content, filename }: Bytes): FastifyReply {
  if (filename !== undefined) reply.header('content-disposition', dispositionOf(filename))
  return reply.code(200).header('content-type', type).send(content)
}

/** RFC 6266, 4.3: the whole name in UTF-8, and beside it one that every browser reads. */
function dispositionOf(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9._ -]/g, '_')
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
