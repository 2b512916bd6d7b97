import type { Outgoing } from '@gateway/plugin-outgoing/api'
import { BadRequest, type CallContext, type GatewayInfo } from '@gateway/sdk'
import { ALL_EVENTS } from '../schema.ts'

interface Parts {
  readonly outgoing: Pick<Outgoing, 'readUrl'>
  readonly config: { readonly ports: readonly number[] }
  readonly gateway: Pick<GatewayInfo, 'publicEvents'>
}

/** A receiver in stored form. Throws BAD_REQUEST naming `url`. */
export function readReceiver({ outgoing, config }: Parts, url: string, ctx: CallContext): { url: string; loopback: boolean } {
  const read = outgoing.readUrl(url, { ports: config.ports, mayLoopBack: ctx.principal.kind === 'operator' })
  if ('fault' in read) throw BadRequest({ field: 'url', message: `\`url\` must be one that ${read.fault}.` })
  return { url, loopback: read.loopback }
}

/** The events, each once. Throws BAD_REQUEST naming `events` if one is not public. */
export function readEvents({ gateway }: Parts, events: readonly string[]): string[] {
  const known = gateway.publicEvents()
  const unknown = events.find((event) => event !== ALL_EVENTS && !known.has(event))
  if (unknown === undefined) return [...new Set(events)]
  const all = [ALL_EVENTS, ...known.keys()].join(', ')
  throw BadRequest({ field: 'events', message: `\`events\` must name public events (${all}); got ${JSON.stringify(unknown)}.` })
}
