import type { Principal } from '@gateway/sdk'
import { isAddress, parseAddress } from './address.ts'

/** Addresses of a caller who names none: the label of its key, if that is an address, and its id. */
export function ownAddresses({ label, id }: Pick<Principal, 'label' | 'id'>): string[] {
  return [label, id].flatMap((name) => (name !== undefined && isAddress(name) ? [parseAddress('to', name)] : []))
}

/** Address that a caller sends from, if it names none. */
export const ownAddress = (principal: Pick<Principal, 'label' | 'id'>): string => ownAddresses(principal)[0] ?? principal.id
