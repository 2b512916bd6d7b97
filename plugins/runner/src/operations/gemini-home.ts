import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AgentKey } from './agent-key.ts'

type Env = Readonly<Record<string, string | undefined>>
type Json = Readonly<Record<string, unknown>>

/**
 * Makes a home for Gemini CLI in the folder of the run: the user's own, with settings that add the gateway as MCP server. The program
 * takes no servers from its command line, and system settings from root alone. With another base URL it needs to be told that it
 * uses a key.
 */
export async function makeGeminiHome(folder: string, key: AgentKey | undefined, env: Env): Promise<void> {
  const [own, home] = [join(env.HOME ?? homedir(), '.gemini'), join(folder, '.gemini')]
  await mkdir(home, { mode: 0o700 })
  const names = await readdir(own).catch(() => [])
  await Promise.all(names.filter((name) => name !== 'settings.json').map((name) => symlink(join(own, name), join(home, name))))
  const text = await readFile(join(own, 'settings.json'), 'utf8').catch(() => '{}')
  await writeFile(join(home, 'settings.json'), JSON.stringify(withGateway(settingsIn(text), key, env)), { mode: 0o600 })
}

function withGateway(settings: Json, key: AgentKey | undefined, env: Env): Json {
  const { mcpServers, security } = settings as { readonly mcpServers?: Json; readonly security?: Json }
  const gateway = key && { httpUrl: `${key.url}/mcp`, headers: { Authorization: `Bearer ${key.apiKey}` } }
  const usesKey = env.GEMINI_API_KEY !== undefined && env.GOOGLE_GEMINI_BASE_URL !== undefined
  return {
    ...settings,
    ...(gateway && { mcpServers: { ...mcpServers, gateway } }),
    ...(usesKey && { security: { ...security, auth: { ...(security?.auth as Json | undefined), selectedType: 'gemini-api-key' } } }),
  }
}

/** Settings may have comments, which JSON has not; such settings are left out. */
function settingsIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
