import type { Wire } from './answer.ts'
import type { ModelRelay, WireName } from './relay.ts'
import { anthropic } from './wire-anthropic.ts'
import { embeddings } from './wire-embeddings.ts'
import { openai } from './wire-openai.ts'

const BUILT_IN: Readonly<Record<WireName, Wire>> = { openai, anthropic }

/** True for a wire that the requests of clients can be translated to. */
export const servesClients = (name: string): name is WireName => Object.hasOwn(BUILT_IN, name)

/** Returns the wire of that name: a contributed one cannot replace one of the gateway's own. */
export function wireOf(name: string, contributed: readonly (Wire & { readonly name: string })[], relay?: ModelRelay): Wire | undefined {
  if (relay?.kind === 'embeddings') return embeddings
  return servesClients(name) ? BUILT_IN[name] : contributed.find((wire) => wire.name === name)
}
