import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../command.ts'
import { hostName } from './host.ts'

const MAX_NAME = 200

/** Name of the account whose quota is used: as given, else the address that Claude Code is signed in with, else the host. */
export function accountName(given: string | undefined, env: Env): string {
  const name = given || env.GATEWAY_ACCOUNT || (hostName(env) === 'codex' ? undefined : addressOfClaude(env)) || hostName(env)
  return name.replaceAll('\0', '').slice(0, MAX_NAME)
}

/** The file holds settings and no credential. An installation that uses API keys has no account in it. */
function addressOfClaude(env: Env): string | undefined {
  try {
    const text = readFileSync(join(env.CLAUDE_CONFIG_DIR || env.HOME || homedir(), '.claude.json'), 'utf8')
    const { oauthAccount } = JSON.parse(text) as { oauthAccount?: { emailAddress?: unknown } }
    const address = oauthAccount?.emailAddress
    return typeof address === 'string' && address !== '' ? address : undefined
  } catch {
    return undefined
  }
}
