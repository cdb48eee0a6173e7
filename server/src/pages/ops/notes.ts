import { Type } from 'typebox'
import { v7 } from 'uuid'
import { findApp } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { insertNote, listNotes, MAX_NOTE_LENGTH, NOTE_SUBJECTS, type NoteSubject } from '../../platform/notes/store.ts'
import { button, buttons, form, textArea } from '../../platform/web/components/form.ts'
import { type TimelineEntry, timeline } from '../../platform/web/components/timeline.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { type Desk, opsPage } from './ops-page.ts'

/** The latest notes on a page. */
const MOST = 50

const PAGES = {
  ORGANIZATION: { path: OPERATOR_PATHS.organizations, param: 'organizationId', name: 'addNoteToOrganization' },
  APP: { path: OPERATOR_PATHS.apps, param: 'appId', name: 'addNoteToApp' },
  BUSINESS: { path: OPERATOR_PATHS.merchants, param: 'businessId', name: 'addNoteToMerchant' },
} as const

/** The notes about an organization, an app or a merchant, with a form for a new one. */
export async function notesOf({ db, csrf }: Pick<PageCall, 'db' | 'csrf'>, desk: Desk, of: NoteSubject): Promise<Html> {
  const notes = await listNotes(db.sql, of, MOST)
  const mayWrite = desk.may('notes.manage')
  if (notes.length === 0 && !mayWrite) return html``
  const entries = notes.map(
    ({ createdAt, author, text }): TimelineEntry => ({ at: createdAt, title: author, detail: linesOf(text) }),
  )
  return html`<section class="section" id="notes"><h2>Notes</h2>
${notes.length > 0 && timeline('Notes, newest first', entries)}
${
  mayWrite &&
  form({
    ...{ csrf, action: `${PAGES[of.subject].path}/${of.subjectId}/notes`, hidden: { noteId: v7() } },
    body: html`${textArea({ name: 'text', label: 'New note', hint: 'Only the operator’s people see notes.', maxlength: MAX_NOTE_LENGTH, rows: 2, value: '' })}
${buttons(button('Add the note', { size: 'small' }))}`,
  })
}</section>`
}

const linesOf = (text: string): Html => html`${text.split('\n').map((line, i) => html`${i > 0 && html`<br>`}${line}`)}`

/** Adds a note, and leads back to the page that it is about. An empty note adds nothing. */
export function notePages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return NOTE_SUBJECTS.map(subject => notePage(ports, subject))
}

function notePage({ clock }: Pick<Ports, 'clock'>, subject: NoteSubject['subject']): AnyPage {
  const { path, param, name } = PAGES[subject]
  return opsPage({
    ...{ method: 'POST', path: `${path}/:${param}/notes`, name, operation: 'notes.manage' },
    params: Type.Object({ [param]: Uuid }),
    form: Type.Object({ noteId: Uuid, text: Text(MAX_NOTE_LENGTH * 2, 0) }),
    async handle(call) {
      const subjectId = String(call.params[param])
      if (!(await isKnown(call.db.sql, { subject, subjectId }))) {
        return reject('RESOURCE_NOT_FOUND', 'There is nothing with this id.')
      }
      // Browsers send each line break as two characters.
      const text = call.form.text.replaceAll('\r\n', '\n').trim().slice(0, MAX_NOTE_LENGTH)
      const note = { noteId: call.form.noteId, subject, subjectId, text, createdAt: clock.now() }
      const author = call.session?.person.name ?? ''
      if (text !== '') await call.db.transaction(({ sql }) => insertNote(sql, { ...note, author }))
      return redirect(`${path}/${subjectId}#notes`)
    },
  })
}

async function isKnown(sql: Sql, { subject, subjectId }: NoteSubject): Promise<boolean> {
  if (subject === 'ORGANIZATION') return (await findOrganization(sql, subjectId)) !== null
  if (subject === 'APP') return (await findApp(sql, subjectId)) !== null
  return (await findBusinesses(sql, [subjectId])).length > 0
}
