import { type CallContext, gatewayWide, type Resolved } from '@gateway/sdk'
import { clients } from '../collections.ts'
import type { Client } from '../rules/client-metadata.ts'
import { invalidRequest, OAuthRefusal } from '../rules/refusal.ts'
import { clientDocuments } from '../services/client-documents.ts'

export const clientUses = { clients: gatewayWide(clients), documents: clientDocuments }

/** The client of the command line, which needs no document. It uses the device flow alone. */
const CLI: Client = { clientId: 'gateway-cli', clientName: 'gateway on the command line', redirectUris: [] }

/** Finds a client by its id: the address of its document, or the id of its registration. Throws an OAuthRefusal. */
export async function findClient(
  { clients, documents }: Resolved<typeof clientUses>,
  clientId: string | undefined,
  ctx: Pick<CallContext, 'tenantId' | 'signal' | 'now'>,
): Promise<Client> {
  if (clientId === undefined) throw invalidRequest('client_id is missing.')
  if (clientId === CLI.clientId) return CLI
  if (/^https?:\/\//i.test(clientId)) return documents.read(clientId, ctx)
  const found = clientId.length > 100 ? undefined : await clients.get(clientId)
  if (!found || found.expiresAt <= ctx.now().toISOString())
    throw new OAuthRefusal(
      'invalid_client',
      'client_id must be the address of a metadata document, or of a client that is registered here.',
    )
  return found
}
