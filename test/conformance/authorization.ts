import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../support/ports.ts'
import type { Check, Results } from './suite.ts'

const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant']
const LIMIT_MS = 60_000

/**
 * Runs the suite's scenarios for authorization servers. The suite prints the address that a browser would open; the person who
 * consents is the local operator.
 */
export async function authorizationResults(
  command: readonly string[],
  url: string,
  { revision, folder }: { revision: string; folder: string },
): Promise<Results> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const clientId = await registered(url, `http://127.0.0.1:${port}/callback`)
  const [program = '', ...first] = command
  const more = ['--client-id', clientId, '--resource', `${url}/mcp`, '--port', String(port), '--spec-version', revision]
  const child = spawn(program, [...first, 'authorization', '--url', url, ...more, '-o', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith(`${url}/oauth/authorize?`)) await consented(url, new URL(line).search.slice(1))
  }
  await exited
  return new Map(SCENARIOS.map((name) => [name, checksOf(name, folder)]))
}

async function registered(url: string, redirect: string): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirect] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

/** The page's own requests: the person signs in and consents, and the browser follows the redirect. */
async function consented(url: string, query: string): Promise<void> {
  const page = { 'sec-fetch-site': 'same-origin' }
  const begun = await fetch(`${url}/api/sign-in`, { method: 'POST', headers: page })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const response = await fetch(`${url}/api/oauth/consents`, {
    method: 'POST',
    headers: { ...page, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ query, scopes: ['read', 'work'] }),
  })
  const { redirectTo } = (await response.json()) as { redirectTo: string }
  await fetch(redirectTo)
}

/** The suite names a folder after scenario and time. */
function checksOf(scenario: string, folder: string): readonly Check[] | undefined {
  const own = readdirSync(folder).find((name) => name.includes(scenario))
  const file = join(folder, own ?? '', 'checks.json')
  return own !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : undefined
}
