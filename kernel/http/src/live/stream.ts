import { type Gateway, Overloaded } from '@gateway/kernel'
import { type Dashboard, EVENTS_URL } from '@gateway/pages'
import type { FastifyPluginAsync } from 'fastify'
import { eventStream } from '../event-stream.ts'
import { factsOf } from '../guard.ts'
import { LiveChanges } from './live-changes.ts'
import type { Watcher } from './watchers.ts'

/** Below the minute or so after which proxies close a silent connection. */
const HEARTBEAT_SECONDS = 15

/** `GET /api/events`: live changes. A client that reconnects reloads what it shows, because nothing is stored for it. */
export const events: FastifyPluginAsync<{ gateway: Gateway; pages: Dashboard }> = async (app, { gateway, pages }) => {
  const live = new LiveChanges(gateway, pages)
  const { watchers } = live
  gateway.onTenantBlocked((tenantId) => {
    for (const watcher of watchers.of(tenantId)) watcher.end()
  })
  app.addHook('preClose', async () => live.stop())
  // Has no HEAD, which would open a stream without a body.
  app.get(EVENTS_URL, { exposeHeadRoute: false }, (request, reply) => {
    const { principal: caller } = request
    if (!watchers.hasRoomFor(caller.tenantId)) {
      throw Overloaded({ message: 'Too many dashboards are open; ask for what is shown now and then instead.', retryAfterSeconds: 60 })
    }
    const facts = factsOf(request)
    const stream = eventStream(reply, async () => gateway.access.stillKnows(facts))
    const heartbeat = setInterval(() => (stream.full ? stream.cut() : stream.keepAlive()), HEARTBEAT_SECONDS * 1_000).unref()
    const watcher: Watcher = {
      caller,
      get full() {
        return stream.full
      },
      tell: (event, data) => stream.event(event, JSON.stringify(data)),
      end: () => stream.end(),
      cut: () => stream.cut(),
    }
    live.add(watcher)
    stream.onClose(() => {
      clearInterval(heartbeat)
      live.remove(watcher)
    })
    watcher.tell('hello', { heartbeatSeconds: HEARTBEAT_SECONDS })
  })
}
