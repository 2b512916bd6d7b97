import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { DiscoverResult } from '@modelcontextprotocol/client'
import { TASKS_EXTENSION } from '../abilities.ts'
import { instructions } from '../instructions.ts'
import type { View } from '../views.ts'
import { VERSIONS } from './protocol.ts'

/** Capabilities that a client can rely on. Versions of the handshake are agreed on by the handshake and not listed here. */
const OFFER = {
  supportedVersions: VERSIONS,
  capabilities: {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    extensions: { [TASKS_EXTENSION]: {} },
  },
} satisfies DiscoverResult

/** The answer to `server/discover`, as JSON: the capabilities, and the boot bundle that a handshake would return. */
export async function discover(gateway: Gateway, caller: Principal, view: View): Promise<string> {
  return JSON.stringify({ ...OFFER, instructions: await instructions(gateway, caller, view) } satisfies DiscoverResult)
}
