import { contribute, gettingStarted } from '@gateway/sdk'
import { firsts } from '../collections.ts'

const json = (value: object): string => JSON.stringify(value, null, 2)

/** Done with the first call over MCP. */
export const connectAgent = contribute(gettingStarted, {
  uses: { firsts },
  create: ({ firsts }) => ({
    id: 'connect-agent',
    order: 10,
    title: 'Connect an agent',
    text: 'Let an MCP client use the gateway. It is connected once it has called a tool.',
    snippets: [
      { label: 'Any client', code: 'gateway connect claude-code   # or codex, cursor, vscode, windsurf, gemini' },
      { label: 'Claude Code', code: 'claude mcp add --transport http gateway {url}/mcp' },
      { label: 'Codex', code: '# ~/.codex/config.toml\n[mcp_servers.gateway]\nurl = "{url}/mcp"' },
      { label: 'Cursor', code: json({ mcpServers: { gateway: { url: '{url}/mcp' } } }) },
      { label: 'VS Code', code: json({ servers: { gateway: { type: 'http', url: '{url}/mcp' } } }) },
    ],
    isDone: async () => (await firsts.get('mcp-call')) !== undefined,
  }),
})
