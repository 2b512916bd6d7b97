import { type Gateway, matchResource } from '@gateway/kernel'
import { logLevels } from '@gateway/sdk'
import { INVALID_PARAMS, INVALID_REQUEST, nameOf, type Params, RESOURCE_NOT_FOUND, RpcError } from '../jsonrpc.ts'
import { stringParam } from '../methods.ts'
import type { PersistentSessions } from './persistent-sessions.ts'
import type { Session } from './session.ts'

export type SessionMethod = (params: Params, session: Session | undefined) => void | Promise<void>

/** Methods that change their session, which is stored. All answer with an empty object, which clients check literally. */
export function sessionMethods(
  { inventory }: Pick<Gateway, 'inventory'>,
  sessions: PersistentSessions,
): ReadonlyMap<string, SessionMethod> {
  const { subscriptions } = sessions.here
  return new Map<string, SessionMethod>([
    ['ping', () => undefined],
    [
      'logging/setLevel',
      (params, session) => {
        const level = logLevels.find((one) => one === params.level)
        if (level === undefined) {
          throw new RpcError(INVALID_PARAMS, `Invalid params: level must be one of ${logLevels.join(', ')}; got ${nameOf(params.level)}`)
        }
        const set = existing(session)
        set.logLevel = level
        return sessions.keep(set)
      },
    ],
    [
      'resources/subscribe',
      (params, session) => {
        const uri = stringParam(params, 'uri')
        if (matchResource(inventory.resources, uri) === undefined) throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
        const set = existing(session)
        subscriptions.add(set, uri)
        return sessions.keep(set)
      },
    ],
    [
      'resources/unsubscribe',
      (params, session) => {
        const set = existing(session)
        subscriptions.remove(set, stringParam(params, 'uri'))
        return sessions.keep(set)
      },
    ],
  ])
}

function existing(session: Session | undefined): Session {
  if (session === undefined) throw new RpcError(INVALID_REQUEST, 'Invalid request: this is kept in a session; initialize first')
  return session
}
