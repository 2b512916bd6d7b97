import { definePlugin } from '@gateway/sdk'
import { journal, states } from './collections.ts'
import { config } from './config.ts'
import { journalStream } from './contributions/event-journal.ts'
import { recordedEvents } from './contributions/event-recorder.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { retention } from './jobs/retention.ts'
import { eventsPage } from './pages/events.ts'
import { eventsList } from './routes/list.ts'

/**
 * The journal of public events. Life of an event:
 *
 * 1. Stored in the transaction of the change that it reports, without a place, so that writers do not wait for each other.
 * 2. Given its place by the next reader, or by the retention, in batches and in the order of the changes.
 * 3. Read from a cursor, once or as a stream, by any number of readers.
 * 4. Removed when enough newer ones are there, or when it is too old.
 */
export default definePlugin({
  id: 'events',
  sdk: '^1.0.0',
  description: 'The journal of public events: read from a cursor, or as a stream.',
  config,
  collections: [journal, states],
  routes: [eventsList],
  jobs: [retention],
  contributes: [recordedEvents, journalStream, retentionByHand],
  pages: [eventsPage],
})
