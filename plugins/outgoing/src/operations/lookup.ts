import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { ClosedAddress } from '../rules/failure.ts'

/** All addresses of a name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Looks a name up for a connection that is about to be made, and hands on the very addresses it has checked: what is connected to
 * is what was looked at, and a name that answers otherwise the next time is checked the next time. One closed address among
 * several is enough to refuse: no name of the open internet has any.
 */
export function guardedLookup(resolve: Resolve, isOpen: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const fail = (error: Error): void => callback(error, '', 0)
        if (addresses.length === 0) return fail(new Error(`${hostname} has no address`))
        if (!addresses.every(isOpen)) return fail(new ClosedAddress(`${hostname} leads to a closed address`))
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (options.all) callback(null, found)
        else callback(null, first?.address as string, first?.family as number)
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}

/** Of the name servers alone: by way of the system, a tenant’s slow name would hold one of the few threads that files are read with. */
export function nameServers(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (addresses.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return addresses
  }
}

/** The one name that means this machine; nobody is asked. */
export const thisMachine: Resolve = async () => ['127.0.0.1', '::1']
