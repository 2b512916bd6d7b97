import { open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { codexCallsGateway, profileIn } from '../rules/codex-models.ts'
import { pathAtGateway } from '../rules/gateway-address.ts'
import { namesGateway } from '../rules/model-env.ts'
import type { Agent } from '../schema.ts'

interface Places {
  readonly worktree: string
  /** Addresses of the gateway: that of the runner, and that of its agents. */
  readonly gatewayUrls: readonly string[]
}
type Env = Readonly<Record<string, string>>

/**
 * True if the agent calls models through the gateway, which then charges each call: by the variables that it sees, and by the
 * configuration of its program. Gemini CLI speaks a wire that the gateway does not serve.
 */
export async function callsGateway({ adapter, args = [] }: Agent, visible: Env, { worktree, gatewayUrls }: Places): Promise<boolean> {
  switch (adapter) {
    case 'claude': {
      const address = (await addressInSettings(visible, worktree)) ?? visible.ANTHROPIC_BASE_URL
      return gatewayUrls.some((url) => pathAtGateway(address, url) !== undefined)
    }
    case 'codex': {
      const home = visible.CODEX_HOME || join(visible.HOME || homedir(), '.codex')
      const profile = profileIn(args)
      const names = [...(profile === undefined ? [] : [`${profile}.config.toml`]), 'config.toml']
      return codexCallsGateway(args, await Promise.all(names.map((name) => startOf(join(home, name)))), gatewayUrls)
    }
    case 'gemini':
      return false
    case 'shell':
    case 'scripted':
      return gatewayUrls.some((url) => namesGateway(visible, url))
  }
}

/** A variable in the settings of Claude Code comes before that of the process. */
async function addressInSettings(visible: Env, worktree: string): Promise<string | undefined> {
  const user = visible.CLAUDE_CONFIG_DIR || join(visible.HOME || homedir(), '.claude')
  const paths = [join(worktree, '.claude', 'settings.local.json'), join(worktree, '.claude', 'settings.json'), join(user, 'settings.json')]
  for (const path of paths) {
    const { env } = jsonOf(await startOf(path)) as { readonly env?: { readonly ANTHROPIC_BASE_URL?: unknown } }
    if (typeof env?.ANTHROPIC_BASE_URL === 'string') return env.ANTHROPIC_BASE_URL
  }
  return undefined
}

function jsonOf(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

const MAX_BYTES = 1_000_000

/** The text of a configuration, or an empty one. The repo may hold anything under its name. */
async function startOf(path: string): Promise<string> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return ''
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } catch {
    return ''
  } finally {
    await file.close()
  }
}
