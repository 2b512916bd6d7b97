import { closed, defineRoute, rowLimit, Type } from '@gateway/sdk'
import { JournalPage, latestEvents, readJournal, readUses } from '../operations/read.ts'

const ROWS = rowLimit(100, 500, 'Events')

export const eventsList = defineRoute({
  name: 'events.list',
  description:
    'Read the public events of the tenant after a cursor, oldest first. Returns {events, cursor, more, gap}. With `Accept: text/event-stream` it is a continuous stream, from `Last-Event-ID` or `since`.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/events',
  input: Type.Object(
    {
      since: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'A `cursor`; `latest` for the end of the journal. Omit to begin with the oldest event.',
        }),
      ),
      events: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, description: 'Names of events; omit for all.' }),
      ),
      newest: Type.Optional(Type.Boolean({ description: 'The latest events, newest first; `since` and `events` are then ignored.' })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: JournalPage,
  uses: readUses,
  handle: ({ since, events, newest, limit }, refs) =>
    newest ? latestEvents(refs, ROWS.of(limit)) : readJournal(refs, { since, events, limit: ROWS.of(limit) }),
})
