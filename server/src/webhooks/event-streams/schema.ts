import { Type } from 'typebox'
import { AppUrn } from '../../platform/http/wire.ts'
import { CURSOR_PATTERN } from './streams.ts'

/** The content type. A request without it in `Accept` ends after the events so far. */
export const EVENT_STREAM = 'text/event-stream'

const Cursor = (description: string) => Type.Optional(Type.String({ pattern: CURSOR_PATTERN, description }))

export const StreamParams = Type.Object({ appId: AppUrn })
export const StreamQuery = Type.Object({ after: Cursor('The id of the last message received') })
export const StreamHeaders = Type.Object({ 'last-event-id': Cursor('Like `after`, which it overrides') })
