import { type Collection, Forbidden, type GatewayWide, type Principal } from '@gateway/sdk'
import { holds } from '../rights/may.ts'

/** Documents that hold for every tenant: readable by any caller, writable only by the gateway's own principals. */
export function gatewayWideFor<Doc>({ role }: Principal, collection: Collection<Doc>): GatewayWide<Doc> {
  return {
    get: (id) => collection.get(id),
    getMany: (ids) => collection.getMany(ids),
    find: (query) => collection.find(query),
    count: (where, options) => collection.count(where, options),
    search: (query) => collection.search(query),
    writable() {
      if (!holds(role, 'operator')) throw Forbidden({ message: 'Only the operator may change gateway-wide records.' })
      return collection
    },
  }
}
