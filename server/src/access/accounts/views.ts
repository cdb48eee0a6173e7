import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../core/mail-kind.ts'
import type { WebSession } from '../../platform/http/ports.ts'
import { badge, card, notice, toast } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  form,
  linkButton,
  type Problems,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { instant } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { ACCOUNT_PATH, navigationOf } from '../../platform/web/navigation.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Session } from '../sessions/store.ts'
import { OPERATOR_WORKSPACE } from '../sessions/web-sessions.ts'
import { passwordHint } from '../users/form-words.ts'
import type { Account } from './account.ts'

export const ACCOUNT_NOTICES = {
  name: english('Your name is changed'),
  language: english('Your language is changed'),
  password: english('Your password is changed. You are signed out everywhere else.'),
  session: english('That session is ended'),
  factor: english('Two-step sign-in is off'),
} as const

export type AccountNotice = keyof typeof ACCOUNT_NOTICES

/** Data for the frame of every account page. */
export interface AccountFrame {
  readonly csrf: string
  readonly session: WebSession
}

export interface AccountView extends AccountFrame {
  readonly account: Account
  readonly sessions: readonly Session[]
  readonly said?: AccountNotice
  readonly problems?: { readonly of: 'name' | 'password'; readonly found: Problems }
}

export function accountPage(
  { csrf, session }: AccountFrame,
  title: string,
  main: Part,
  width: 'narrow' | 'wide' = 'narrow',
): View {
  const links = navigationOf(session.principal, ACCOUNT_PATH)
  return layout({ title, links, signedIn: { ...session, csrf }, width, main: html`${main}` })
}

export function accountView(view: AccountView): View {
  const { csrf, account, sessions, session, said, problems } = view
  const of = (name: 'name' | 'password') => (problems?.of === name ? problems.found : {})
  const isMfaRequired = session.principal.kind === 'operator' && session.principal.role === 'MFA_REQUIRED'
  return accountPage(
    view,
    say`Your account`,
    html`${pageHead({ title: say`Your account`, lead: account.email, actions: linkButton(say`Switch workspace`, '/choose-workspace') })}
${said !== undefined && toast(sayText(ACCOUNT_NOTICES[said]))}
${isMfaRequired && notice('warn', say`Set up two-step sign-in first`, say`Everyone who works for the operator needs it. Until then you cannot do anything else here.`)}
<div class="columns">${card({ title: say`Two-step sign-in`, badge: account.hasSecondFactor ? badge(say`On`, 'good') : badge(say`Off`), body: factorBody(account) })}
${card({ title: say`Name`, body: nameForm(csrf, account, of('name')) })}
${card({ title: say`Language`, body: languageForm(csrf, session.person.language) })}
${card({ title: say`Password`, body: passwordForm(csrf, of('password')) })}</div>
${sessionTable(csrf, sessions, session.sessionId)}`,
    'wide',
  )
}

function factorBody({ hasSecondFactor, recoveryCodesLeft }: Account): Html {
  if (!hasSecondFactor) {
    return html`<p>${say`Signing in then asks for your password and a code from your phone.`}</p>
${buttons(linkButton(say`Set up two-step sign-in`, '/account/second-factor', { kind: 'primary' }))}`
  }
  const left =
    recoveryCodesLeft === 1 ? say`One recovery code is left.` : say`${recoveryCodesLeft} recovery codes are left.`
  return html`<p>${say`Signing in asks for a code from your phone.`} ${left}</p>
${buttons(linkButton(say`Change it`, '/account/second-factor'))}`
}

function nameForm(csrf: string, { name }: Account, problems: Problems): Html {
  return form({
    csrf,
    action: '/account/name',
    problems,
    body: html`${textField({ name: 'name', label: say`Your name`, autocomplete: 'name', maxlength: 255, value: name, problem: problems.name })}
${buttons(button(say`Save the name`))}`,
  })
}

function languageForm(csrf: string, language: Language | undefined): Html {
  return form({
    csrf,
    action: '/account/language',
    body: html`${selectField({
      name: 'language',
      label: say`Language of these pages`,
      value: language ?? '',
      options: [
        { value: '', text: say`As your browser` },
        ...LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] })),
      ],
    })}
${buttons(button(say`Save the language`))}`,
  })
}

function passwordForm(csrf: string, problems: Problems): Html {
  return form({
    csrf,
    action: '/account/password',
    problems,
    body: html`${textField({ name: 'password', label: say`Current password`, type: 'password', autocomplete: 'current-password', problem: problems.password })}
${textField({ name: 'newPassword', label: say`New password`, type: 'password', autocomplete: 'new-password', hint: passwordHint(), problem: problems.newPassword })}
${buttons(button(say`Change the password`))}`,
  })
}

function sessionTable(csrf: string, sessions: readonly Session[], currentId: string): Html {
  return table({
    caption: say`Where you are signed in`,
    rows: sessions,
    columns: [
      { name: say`Browser`, cell: ({ agent }) => browserWords(agent) },
      { name: say`As`, cell: ({ workspaceName }) => workspaceName ?? sayText(OPERATOR_WORKSPACE) },
      { name: say`Last used`, cell: ({ usedAt }) => instant(usedAt) },
      {
        name: say`End it`,
        cell: ({ sessionId, agent }) =>
          sessionId === currentId
            ? badge(say`This one`, 'good')
            : form({
                csrf,
                action: '/account/sessions/end',
                hidden: { sessionId },
                body: button(say`End`, { size: 'small', about: say`the session in ${browserWords(agent)}` }),
              }),
      },
    ],
  })
}

const BROWSERS = ['Tillhook-CLI', 'Edg', 'Firefox', 'Chrome', 'Safari'] as const
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

/** The browser's common name. A user agent lists its ancestors; the most specific name counts. */
function browserWords(agent: string): string {
  const browser = BROWSERS.find(name => agent.includes(name))
  const system = SYSTEMS.find(name => agent.includes(name))
  const name = browser === 'Edg' ? 'Edge' : browser === 'Tillhook-CLI' ? say`Command line` : browser
  if (name === undefined && system === undefined) return say`A program`
  const shown = name ?? say`A browser`
  return system === undefined ? shown : `${shown}, ${system}`
}
