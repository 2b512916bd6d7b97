/** A client behind mcp-remote with the address alone: prints the page of consent, and then the number of tools. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [url, config] = process.argv.slice(2)
const args = ['node_modules/mcp-remote/dist/proxy.js', url, '--transport', 'http-only', '--allow-http']
// No program opens a browser here: the test does.
const env = { PATH: '/nonexistent', HOME: config, MCP_REMOTE_CONFIG_DIR: config }
const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: import.meta.dirname, stderr: 'pipe' })
let said = ''
transport.stderr.on('data', (part) => {
  said += part
  const page = /visiting:\s+(http\S+)/.exec(said)?.[1]
  if (page === undefined) return
  console.log(JSON.stringify({ page }))
  said = ''
})
const client = new Client({ name: 'behind-mcp-remote', version: '1.0.0' })
await client.connect(transport, { timeout: 120_000 })
console.log(JSON.stringify({ tools: (await client.listTools()).tools.length }))
await client.close()
