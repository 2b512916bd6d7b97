import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceClient } from '@gateway/sdk'
import type { GatewayAccess } from '../rules/adapter.ts'
import { mcpConfig } from '../rules/mcp-config.ts'
import type { Task } from '../schema.ts'
import { persist } from './service-error.ts'

type Claimed = Pick<Task, 'taskId'> & { readonly claimId: string }

export interface AgentKey {
  readonly url: string
  readonly apiKey: string
  readonly address: string
}

/** Time for which the request for a key is repeated while the gateway does not answer. */
const ISSUE_MS = 10_000

/** Asks the gateway for a key that is limited to the task and ends with its claim. The agent's budget counts its calls of models. */
export async function issueAgentKey(client: ServiceClient, url: string, { taskId, claimId }: Claimed, agent: string): Promise<AgentKey> {
  const issue = (): Promise<unknown> => client.post('/api/runners/task-keys', { taskId, claimId, agent: agent.slice(0, 200) })
  const { apiKey, address } = (await persist(issue, Date.now() + ISSUE_MS)) as Omit<AgentKey, 'url'>
  return { url, apiKey, address }
}

/** Ends the key. A gateway that does not answer ends it with the claim. */
export async function revokeAgentKey(client: ServiceClient, { taskId, claimId }: Claimed): Promise<void> {
  await client.delete(`/api/runners/task-keys/${encodeURIComponent(taskId)}?claimId=${encodeURIComponent(claimId)}`).catch(() => undefined)
}

/** Writes the MCP configuration of the agent into the folder of its run, for the runner's user alone. */
export async function writeAccess({ url, apiKey, address }: AgentKey, folder: string): Promise<GatewayAccess> {
  const mcpFile = join(folder, 'mcp.json')
  await writeFile(mcpFile, JSON.stringify(mcpConfig(url, apiKey)), { mode: 0o600 })
  return { mcpUrl: `${url}/mcp`, mcpFile, env: { GATEWAY_URL: url, GATEWAY_API_KEY: apiKey, GATEWAY_MAIL_ADDRESS: address } }
}
