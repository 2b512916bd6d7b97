import { closed, type Infer, Type } from '@gateway/sdk'

/** An event as the journal returns it: the same body as a webhook receives, with its place. */
export const JournalEvent = Type.Object(
  {
    cursor: Type.String({ description: 'Position in the journal; pass it as `since` to read on.' }),
    id: Type.String({ description: 'The id that webhooks receive for the same event.' }),
    event: Type.String({ description: 'Name, such as tasks.moved.' }),
    at: Type.String({ description: 'Time of the change.' }),
    data: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Defined by the schema of the event; null if it was too large.',
    }),
    omittedBytes: Type.Optional(Type.Integer({ description: 'Size of the data that was too large to keep.' })),
  },
  closed,
)
export type JournalEvent = Infer<typeof JournalEvent>

/** An event as stored. It gets its place when the journal is next read, so that writing one waits for no other writer. */
export const StoredEvent = Type.Object(
  {
    eventId: Type.String(),
    event: Type.String(),
    at: Type.String(),
    /** JSON, or absent where it was too large. */
    data: Type.Optional(Type.String()),
    omittedBytes: Type.Optional(Type.Integer()),
    /** Set until the event has its place. */
    pending: Type.Optional(Type.Literal(true)),
    /** Its place in the journal, from 1. */
    place: Type.Optional(Type.Integer()),
  },
  closed,
)
export type StoredEvent = Infer<typeof StoredEvent>

export const JournalState = Type.Object(
  {
    journal: Type.String(),
    /** The last place taken. */
    last: Type.Integer(),
    /** Events up to this place have been removed. */
    removed: Type.Integer(),
    /** Set when events got places since the retention last looked. */
    grown: Type.Optional(Type.Literal(true)),
  },
  closed,
)
