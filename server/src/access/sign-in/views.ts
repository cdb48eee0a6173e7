import type { Brand } from '../../core/brand.ts'
import { notice, steps } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import { wordOfRole } from '../invitations/words.ts'
import type { NamedMembership } from '../memberships/store.ts'
import { OPERATOR_WORKSPACE } from '../sessions/web-sessions.ts'

interface FormView {
  readonly csrf: string
  readonly next: string
  readonly problems?: Problems
}

export const SIGN_IN_NOTICES = {
  'signed-out': english('You are signed out'),
  'password-changed': english('Your new password is set. Sign in with it.'),
  accepted: english('Welcome. Sign in to begin.'),
} as const

export type SignInNotice = keyof typeof SIGN_IN_NOTICES

export function signInView(
  view: FormView & { readonly canJoin: boolean; readonly email?: string; readonly said?: SignInNotice },
): View {
  const { csrf, next, problems, canJoin, email, said } = view
  return layout({
    title: say`Sign in`,
    width: 'narrow',
    main: html`<h1>${say`Sign in`}</h1>
${said !== undefined && notice('good', sayText(SIGN_IN_NOTICES[said]))}
${form({
  csrf,
  action: '/sign-in',
  hidden: { next },
  ...(problems && { problems }),
  body: html`${textField({
    ...{
      name: 'email',
      label: say`E-mail`,
      type: 'email',
      autocomplete: 'username',
      maxlength: 254,
      autofocus: email === undefined,
    },
    ...{ value: email ?? '', problem: problems?.email },
  })}
${textField({ name: 'password', label: say`Password`, type: 'password', autocomplete: 'current-password', problem: problems?.password })}
${buttons(button(say`Sign in`, { kind: 'primary' }))}`,
})}
<p>${linkButton(say`Forgot your password?`, '/reset-password', { kind: 'quiet' })}</p>
${canJoin && html`<p>${linkButton(say`Create a developer account`, '/join', { kind: 'quiet' })}</p>`}`,
  })
}

export interface CodeView extends FormView {
  readonly brand: Brand
  readonly email: string
  readonly proof: string
}

export function codeView({ brand, csrf, next, problems, email, proof }: CodeView): View {
  return layout({
    title: say`Enter your code`,
    width: 'narrow',
    main: html`${steps([say`Password`, 'Code'], 1)}
<h1>${say`Enter your code`}</h1>
<p>${say`Open your authenticator app and type the six digits that it shows for ${brand.name}. Without your phone, use one of your recovery codes.`}</p>
${form({
  csrf,
  action: '/sign-in/code',
  hidden: { next, email, proof },
  ...(problems && { problems }),
  body: html`${textField({
    ...{ name: 'code', label: say`Code`, isCode: true, autocomplete: 'one-time-code', maxlength: 40, autofocus: true },
    ...{ problem: problems?.code },
  })}
${buttons(button(say`Sign in`, { kind: 'primary' }))}`,
})}
<p>${linkButton(say`Sign in as somebody else`, '/sign-in', { kind: 'quiet' })}</p>`,
  })
}

export interface WorkspaceView extends FormView {
  readonly memberships: readonly NamedMembership[]
  readonly current: string
}

export function workspaceView({ csrf, next, problems, memberships, current }: WorkspaceView): View {
  return layout({
    title: say`Where do you want to work?`,
    width: 'narrow',
    main: html`<h1>${say`Where do you want to work?`}</h1>
${form({
  csrf,
  action: '/choose-workspace',
  hidden: { next },
  ...(problems && { problems }),
  body: html`${choices({
    name: 'membershipId',
    legend: say`Your workspaces`,
    value: current,
    problem: problems?.membershipId,
    options: memberships.map(({ membershipId, workspaceName, role }) => ({
      value: membershipId,
      text: workspaceName ?? sayText(OPERATOR_WORKSPACE),
      detail: say`as ${wordOfRole(role)}`,
    })),
  })}
${buttons(button(say`Continue`, { kind: 'primary' }))}`,
})}`,
  })
}
