import { type Gateway, Overloaded } from '@gateway/kernel'
import { type Dashboard, EVENTS_URL } from '@gateway/pages'
import { LOCAL_TENANT } from '@gateway/sdk'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type CutStream, eventStream } from '../event-stream.ts'
import { factsOf } from '../guard.ts'
import { LiveChanges } from './live-changes.ts'
import type { Watcher } from './watchers.ts'

/** Sees every page, so that its changes are those of all dashboards. */
const OPERATOR = { role: 'operator', tenantId: LOCAL_TENANT } as const

/** Below the minute or so after which proxies close a silent connection. */
const HEARTBEAT_SECONDS = 15

/** `GET /api/dashboard/events`: live changes. A client that reconnects reloads what it shows, because nothing is stored for it. */
export const events: FastifyPluginAsync<{ gateway: Gateway; pages: Dashboard }> = async (app, { gateway, pages }) => {
  const live = liveChanges(app, gateway, (collection) => pages.isLive(OPERATOR, collection))
  const { watchers } = live
  // Has no HEAD, which would open a stream without a body.
  app.get(EVENTS_URL, { exposeHeadRoute: false }, (request, reply) => {
    const { principal: caller } = request
    if (!watchers.hasRoomFor(caller.tenantId)) {
      throw Overloaded({ message: 'Too many dashboards are open; poll instead.', retryAfterSeconds: 60 })
    }
    const stream = openStream(gateway, request, reply)
    const watcher: Watcher = {
      caller,
      get full() {
        return stream.full
      },
      watches: (collection) => pages.isLive(caller, collection),
      notify: (event, data) => stream.event(event, JSON.stringify(data)),
      end: () => stream.end(),
      cut: () => stream.cut(),
    }
    live.add(watcher)
    stream.onClose(() => live.remove(watcher))
    watcher.notify('hello', { heartbeatSeconds: HEARTBEAT_SECONDS })
  })
}

/** Changes for the streams of one address, which end with their tenant and with the gateway. */
export function liveChanges(app: FastifyInstance, gateway: Gateway, isWatched: (collection: string) => boolean): LiveChanges {
  const live = new LiveChanges(gateway, isWatched)
  gateway.onTenantBlocked((tenantId) => {
    for (const watcher of live.watchers.of(tenantId)) watcher.end()
  })
  app.addHook('preClose', async () => live.stop())
  return live
}

/** A stream with a heartbeat, which ends when its credential does. */
export function openStream(gateway: Gateway, request: FastifyRequest, reply: FastifyReply): CutStream {
  const facts = factsOf(request)
  const stream = eventStream(reply, async () => gateway.access.stillKnows(facts))
  const heartbeat = setInterval(() => (stream.full ? stream.cut() : stream.keepAlive()), HEARTBEAT_SECONDS * 1_000).unref()
  stream.onClose(() => clearInterval(heartbeat))
  return stream
}
