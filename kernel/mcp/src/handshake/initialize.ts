import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { InitializeResult, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { clientNameOf } from '../client-name.ts'
import { instructions } from '../instructions.ts'
import type { Params } from '../jsonrpc.ts'
import { stringParam } from '../methods.ts'
import type { View } from '../views.ts'
import type { Agreed } from './session.ts'
import { abilitiesOf, isVersion, LATEST } from './versions.ts'

/** Supported capabilities. Lists change when a plugin says so; resources are subscribed to in a session. */
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
} satisfies ServerCapabilities

/** Agrees on a version (the latest, if the client's is unknown) and names the server; the boot bundle is in `instructions`. */
export async function initialize(
  gateway: Gateway,
  principal: Principal,
  view: View,
  params: Params,
): Promise<{ agreed: Agreed; result: string }> {
  const asked = stringParam(params, 'protocolVersion')
  const version = isVersion(asked) ? asked : LATEST
  const result = {
    protocolVersion: version,
    capabilities: CAPABILITIES,
    serverInfo: { name: 'gateway', version: gateway.version },
    instructions: await instructions(gateway, principal, view),
  } satisfies InitializeResult
  const clientName = clientNameOf(params.clientInfo)
  return { agreed: { version, abilities: abilitiesOf(params.capabilities, version), clientName }, result: JSON.stringify(result) }
}
