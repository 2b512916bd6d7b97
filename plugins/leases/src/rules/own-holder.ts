import { type Principal, reportedName } from '@gateway/sdk'

const HOLDER = /^[^\s/]+(\/[^\s/]+)+$/

/** The holder that a caller names, or the one that the label of its key makes: `key/agent-3`, unless the label has the form of a holder. */
export function ownHolder(given: string | undefined, { label }: Pick<Principal, 'label'>): string {
  const own = label === undefined || HOLDER.test(label) ? label : `key/${label.trim().replace(/[\s/]+/g, '-')}`
  return reportedName('holder', given, own === undefined ? {} : { label: own.slice(0, 200) })
}
