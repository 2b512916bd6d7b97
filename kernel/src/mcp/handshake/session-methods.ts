import { logLevels } from '@gateway/sdk'
import type { Gateway } from '../../gateway.ts'
import { matchResource } from '../../registry/resources.ts'
import { stringParam } from '../dispatcher.ts'
import { INVALID_PARAMS, INVALID_REQUEST, nameOf, type Params, RESOURCE_NOT_FOUND, RpcError } from '../jsonrpc.ts'
import type { Session } from './session.ts'
import type { Subscriptions } from './subscriptions.ts'

export type SessionMethod = (params: Params, session: Session | undefined) => void

/** The methods that set something for their session. All answer with an empty object, as clients check to the letter. */
export function sessionMethods(
  { inventory }: Pick<Gateway, 'inventory'>,
  subscriptions: Subscriptions,
): ReadonlyMap<string, SessionMethod> {
  return new Map<string, SessionMethod>([
    ['ping', () => undefined],
    [
      'logging/setLevel',
      (params, session) => {
        const level = logLevels.find((one) => one === params.level)
        if (level === undefined) {
          throw new RpcError(INVALID_PARAMS, `Invalid params: level must be one of ${logLevels.join(', ')}; got ${nameOf(params.level)}`)
        }
        existing(session).logLevel = level
      },
    ],
    [
      'resources/subscribe',
      (params, session) => {
        const uri = stringParam(params, 'uri')
        if (matchResource(inventory.resources, uri) === undefined) throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
        subscriptions.add(existing(session), uri)
      },
    ],
    ['resources/unsubscribe', (params, session) => subscriptions.remove(existing(session), stringParam(params, 'uri'))],
  ])
}

function existing(session: Session | undefined): Session {
  if (session === undefined) throw new RpcError(INVALID_REQUEST, 'Invalid request: this is kept in a session; initialize first')
  return session
}
