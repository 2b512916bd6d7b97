import type { Wire } from '../api.ts'
import { say } from '../toasts.ts'

/** Returns the same request for a terminal. The credential is a shell variable: a secret is never written into a command. */
function curl({ method, url, body, credential }: Wire): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl -sS -X ${method} ${quoted(window.location.origin + url)}`,
    credential === 'admin' ? '-H "X-Admin-Token: $ADMIN_API_TOKEN"' : '-H "Authorization: Bearer $GATEWAY_API_KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `--data ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** Returns the same call as an agent makes it; only for routes that are tools. */
function mcpCall(tool: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }, null, 2)
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say({ tone: 'good', title: `Copied ${what}` })
  } catch {
    say({ tone: 'bad', title: 'Copying failed', text: 'The browser gives this page no clipboard.' })
  }
}

/** "Copy as curl" and "as MCP call" buttons for menus, for anything that can be called. */
export function CopyButtons({ tool, wire, args }: { tool: string; wire: Wire; args: object }) {
  const isTool = wire.url.startsWith('/api/tools/')
  return (
    <>
      <button type="button" onClick={() => void copy(curl(wire), 'as curl')}>
        Copy as curl
      </button>
      {isTool && (
        <button type="button" onClick={() => void copy(mcpCall(tool, args), 'as MCP call')}>
          Copy as MCP call
        </button>
      )}
    </>
  )
}
