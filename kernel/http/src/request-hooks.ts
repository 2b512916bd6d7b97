import type { Gateway } from '@gateway/kernel'
import { clientAddress } from '@gateway/settings'
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { AccessLog } from './access-log.ts'
import { checkConfined } from './confined.ts'
import type { Connections } from './connections.ts'
import { guard } from './guard.ts'
import type { LoadShedder } from './load-shedder.ts'
import { stepUp } from './token-scope.ts'

interface Parts {
  readonly gateway: Gateway
  readonly shedder: LoadShedder
  readonly connections: Connections
  readonly noteAccess: AccessLog | undefined
}

const enter: FastifyPluginAsync<Parts> = async (app, { gateway, shedder, connections, noteAccess }) => {
  app.decorateRequest('principal')
  app.decorate('addressOf', clientAddress(gateway.settings.trustedProxies))
  app.decorate('stillKnows', (facts) => gateway.access.stillKnows(facts))
  if (noteAccess) {
    app.addHook('onRequest', (request, reply, done) => {
      noteAccess(request, reply)
      done()
    })
  }
  app.addHook('onRequest', guard(gateway, shedder, connections))
  app.addHook('preHandler', stepUp(gateway))
  app.addHook('preHandler', checkConfined)
}

/** Hooks that every request passes, whatever its route: the access log and the guard. */
export const entrance = fp(enter, { name: 'entrance' })
