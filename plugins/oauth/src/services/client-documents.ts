import { outgoing } from '@gateway/plugin-outgoing/api'
import { type CallContext, defineService, isToolError, provideProcess } from '@gateway/sdk'
import { BoundedMap, isWindowOpen } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { type Client, checkDocumentUrl, readMetadata } from '../rules/client-metadata.ts'
import { OAuthRefusal } from '../rules/refusal.ts'

/** Reads metadata documents of clients: the client id is the address of the document. */
export interface ClientDocuments {
  /** Throws an OAuthRefusal that says what is wrong with the document. */
  read(clientId: string, ctx: Pick<CallContext, 'tenantId' | 'signal' | 'now'>): Promise<Client>
}
export const clientDocuments = defineService<ClientDocuments>('oauth.client-documents', 'process')

const MAX_BYTES = 16_384
const TIMEOUTS = { connectMs: 3_000, firstByteMs: 3_000, idleMs: 3_000, totalMs: 6_000 }
/** A changed document counts after this time. */
const FRESH_MS = 300_000
const MAX_CACHED = 500

const refusal = (description: string): OAuthRefusal => new OAuthRefusal('invalid_client', description)

export const clientDocumentsProvider = provideProcess(clientDocuments, {
  uses: { outgoing, config },
  create({ outgoing, config }) {
    const cached = new BoundedMap<string, { readonly client: Client; readonly until: number }>(MAX_CACHED)
    return {
      async read(clientId, ctx) {
        const now = ctx.now().getTime()
        const known = cached.get(clientId)
        if (known && isWindowOpen(known.until, now, FRESH_MS)) return known.client
        checkDocumentUrl(clientId)
        const named = outgoing.readUrl(clientId, { ports: [443], mayLoopBack: config.loopbackClients })
        if ('fault' in named) throw refusal(`client_id must be an address that ${named.fault}.`)
        const request = {
          url: clientId,
          reach: named.loopback ? ('loopback' as const) : ('public' as const),
          headers: { accept: 'application/json' },
          maxResponseBytes: MAX_BYTES,
          timeouts: TIMEOUTS,
        }
        const { status, body } = await outgoing.send(request, ctx).catch((error: unknown) => {
          throw isToolError(error) ? refusal(`The client’s metadata document cannot be read: ${error.message}`) : error
        })
        if (status !== 200) throw refusal(`The client’s metadata document answers ${status}; expected 200.`)
        const metadata = parsed(body)
        if ((metadata as { client_id?: unknown } | null)?.client_id !== clientId)
          throw refusal('The client’s metadata document must be JSON whose client_id is its own address.')
        const client = { clientId, ...readMetadata(metadata, named.url.host) }
        cached.set(clientId, { client, until: now + FRESH_MS })
        return client
      },
    }
  },
})

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
