import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { ClosedAddress } from '../rules/failure.ts'

/** Resolves all addresses of a name. Rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Resolves a name for a connection that is about to be made, and passes on the checked addresses: the connection goes to what
 * was checked, and a name that resolves differently the next time is checked again. One closed address among several is enough
 * to refuse: no name of the public internet has any.
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

/**
 * Uses the name servers directly: through the system, a tenant's slow name would hold one of the few threads that files are read
 * with.
 */
export function nameServers(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (addresses.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return addresses
  }
}

/** The one name for this machine; it is not resolved. */
export const thisMachine: Resolve = async () => ['127.0.0.1', '::1']
