import { type Rejection, reject } from '../../core/rejection.ts'

type Form = Readonly<Record<string, string | undefined>>

/**
 * The value of a form field that goes by either name: the interface's camelCase, RFC 6749's snake_case (decisions 2).
 * RFC 6749, 3.2: a parameter without a value counts as omitted, and none may be sent twice.
 */
export function getFormField(form: Form, camelName: string, snakeName: string): string | Rejection {
  const [value, other = value] = [form[camelName], form[snakeName]].filter(sent => sent !== undefined && sent !== '')
  if (value === undefined) return rejected('MISSING_PARAMETER', camelName, 'is required')
  if (other !== value) return rejected('INVALID_PARAMETER', camelName, `differs from ${snakeName}: send one of them`)
  return value
}

function rejected(code: 'MISSING_PARAMETER' | 'INVALID_PARAMETER', path: string, problem: string): Rejection {
  return reject(code, `${path}: ${problem}`, { fields: [{ path, problem }], oauthError: 'invalid_request' })
}
