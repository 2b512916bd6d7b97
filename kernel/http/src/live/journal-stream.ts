import { admits, type Gateway, LOCAL_TENANT, Overloaded } from '@gateway/kernel'
import { type EventJournal, eventJournal, Forbidden, isToolError } from '@gateway/sdk'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CutStream } from '../event-stream.ts'
import { ref } from '../openapi/json.ts'
import { answer, page, text } from '../openapi/page.ts'
import { security } from '../openapi/security.ts'
import { liveChanges, openStream } from './stream.ts'

const JOURNAL_URL = '/api/events'
const JOURNAL_STREAM_URL = '/api/events/stream'
const PAGE = 100
/** An address and a cursor are short; a list of names of events is not much longer. */
const MAX_NAMES = 100

/** The address of the stream for a request to the journal that accepts an event stream. */
export function withStream(url: string, accept: string | undefined): string {
  const isJournal = url.startsWith(JOURNAL_URL) && (url.length === JOURNAL_URL.length || url[JOURNAL_URL.length] === '?')
  return isJournal && accept?.includes('text/event-stream') ? JOURNAL_STREAM_URL + url.slice(JOURNAL_URL.length) : url
}

const query = (name: string, description: string) => ({ name, in: 'query', required: false, description, schema: text })
const described = page(
  'events',
  'The public events of the tenant as an event stream; also `GET /api/events` with `Accept: text/event-stream`.',
  {
    responses: {
      200: answer(
        'Each event has its cursor as `id`. An event `gap` says that events were removed before they were read.',
        text,
        'text/event-stream',
      ),
      default: ref('responses', 'Error'),
    },
    security: security('caller'),
    parameters: [
      query(
        'since',
        'A cursor, or `latest`. The header `Last-Event-ID` takes precedence. Without either the stream begins with the oldest event kept.',
      ),
      query('events', 'Names of events, separated by commas. Default: all.'),
    ],
  },
)

/** `GET /api/events` as a stream: the journal from a cursor, then every event as it is committed, on whichever node. */
export const journalStream: FastifyPluginAsync<{ gateway: Gateway }> = async (app, { gateway }) => {
  const operator = { id: 'system', kind: 'system', role: 'system', tenantId: LOCAL_TENANT } as const
  const collection = gateway.collect(eventJournal, operator)[0]?.collection
  if (collection === undefined) return
  const live = liveChanges(app, gateway, (changed) => changed === collection)
  app.get(JOURNAL_STREAM_URL, { exposeHeadRoute: false, schema: described }, async (request, reply) => {
    const { principal: caller } = request
    if (!admits(caller, 'read', gateway.settings.rbacEnforce)) throw Forbidden({ message: 'The journal needs the capability `read`.' })
    if (!live.watchers.hasRoomFor(caller.tenantId)) {
      throw Overloaded({
        message: 'Too many event streams are open; read GET /api/events with `since` instead.',
        retryAfterSeconds: 60,
      })
    }
    const journal = gateway.collect(eventJournal, caller)[0] as EventJournal
    const { since, field, events } = readQuery(request)
    // Read before the stream begins, so that a bad cursor is answered with an error.
    const first = await journal.read({ since, events, field, limit: 1 })
    const stream = openStream(gateway, request, reply)
    const reader = new JournalReader(journal, stream, since === 'latest' ? first.cursor : since, events)
    const watcher = {
      caller,
      full: false,
      watches: (changed: string) => changed === collection,
      notify: (event: string) => {
        if (event !== 'news')
          reader.read((error) => gateway.log.error({ err: error, tenantId: caller.tenantId }, 'the journal could not be streamed'))
      },
      end: () => stream.end(),
      cut: () => stream.cut(),
    }
    live.add(watcher)
    stream.onClose(() => {
      reader.stop()
      live.remove(watcher)
    })
    watcher.notify('changed')
    return reply
  })
}

function readQuery({ query, headers }: FastifyRequest): {
  since: string | undefined
  field: string
  events: readonly string[] | undefined
} {
  const { since, events } = query as Record<string, string | string[] | undefined>
  const last = headers['last-event-id']
  const names = events === undefined ? undefined : [events].flat().join(',').split(',').filter(Boolean).slice(0, MAX_NAMES)
  const cursor =
    typeof last === 'string' && last !== '' ? { since: last, field: 'Last-Event-ID' } : { since: [since].flat().at(-1), field: 'since' }
  return { ...cursor, events: names }
}

/** Sends what follows a cursor; a change during a read makes it read once more. */
class JournalReader {
  readonly #journal: EventJournal
  readonly #stream: CutStream
  readonly #events: readonly string[] | undefined
  #since: string | undefined
  #running = false
  #again = false
  #stopped = false

  constructor(journal: EventJournal, stream: CutStream, since: string | undefined, events: readonly string[] | undefined) {
    this.#journal = journal
    this.#stream = stream
    this.#since = since
    this.#events = events
  }

  stop(): void {
    this.#stopped = true
  }

  read(failed: (error: unknown) => void): void {
    this.#again = true
    if (this.#running) return
    this.#running = true
    void this.#readAll()
      .catch((error: unknown) => {
        if (!isToolError(error)) failed(error)
        // The client comes again with its last cursor.
        this.#stream.end()
      })
      .finally(() => (this.#running = false))
  }

  async #readAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      const { events, cursor, more, gap } = await this.#journal.read({ since: this.#since, events: this.#events, limit: PAGE })
      if (gap) this.#stream.event('gap', JSON.stringify({ since: this.#since }))
      for (const event of events) this.#stream.send(JSON.stringify(event), event.cursor)
      this.#since = cursor
      if (more) this.#again = true
      await this.#stream.drained()
    }
  }
}
