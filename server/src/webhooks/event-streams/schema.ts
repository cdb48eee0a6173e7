import { Type } from 'typebox'
import { AppUrn } from '../../platform/http/wire.ts'
import { CURSOR_PATTERN } from './streams.ts'

/** The content type. A request without it in `Accept` ends after the events so far. */
export const EVENT_STREAM = 'text/event-stream'

const Cursor = (description: string) => Type.Optional(Type.String({ pattern: CURSOR_PATTERN, description }))

export const StreamParams = Type.Object({ appId: AppUrn })
export const StreamQuery = Type.Object({ after: Cursor('The id of the last message received') })
export const StreamHeaders = Type.Object({
  // A browser sends the last id that it received from any server at this address, so no id is rejected.
  'last-event-id': Type.Optional(
    Type.String({ description: 'Like `after`, which it overrides. An unknown id begins a new stream.' }),
  ),
})

/** One message of the stream. The contract's linters know no schema for the whole stream. */
export const StreamMessage = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The position after the message, for `Last-Event-ID`' })),
    event: Type.Enum(['stream', 'notification']),
    data: Type.String({
      description: 'JSON. stream: `{"streamId", "missed"}`. notification: the body that a hook would receive',
    }),
    retry: Type.Optional(Type.Integer({ description: 'Milliseconds to wait before a reconnection' })),
  },
  { description: 'One message of the stream' },
)
