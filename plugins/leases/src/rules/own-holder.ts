import { type Holder, type Principal, reportedHolder } from '@gateway/sdk'

const HOLDER = /^[^\s/]+(\/[^\s/]+)+$/

/** The holder that a caller names, or the one that the label of its key makes: `key/agent-3`, unless the label has the form of a holder. */
export function ownHolder(given: string | undefined, { id, label }: Pick<Principal, 'id' | 'label'>): Holder {
  const own = label === undefined || HOLDER.test(label) ? label : `key/${label.trim().replace(/[\s/]+/g, '-')}`
  return reportedHolder(given, own === undefined ? { id } : { id, label: own.slice(0, 200) })
}
