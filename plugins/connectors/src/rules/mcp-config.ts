import { closed, type Infer, Type } from '@gateway/sdk'
import type { Connector } from '../schema.ts'
import { rewrite } from './references.ts'

const Values = Type.Record(Type.String(), Type.String())

/** A project's MCP configuration, as Claude Code reads it from `.mcp.json`, and Cursor from `.cursor/mcp.json`. */
export const McpConfig = Type.Object(
  {
    mcpServers: Type.Record(
      Type.String(),
      Type.Union([
        Type.Object({ type: Type.Literal('http'), url: Type.String(), headers: Type.Optional(Values) }, closed),
        Type.Object(
          { type: Type.Literal('stdio'), command: Type.String(), args: Type.Array(Type.String()), env: Type.Optional(Values) },
          closed,
        ),
      ]),
    ),
  },
  closed,
)
export type McpConfig = Infer<typeof McpConfig>

/** References are kept as written: Claude Code fills in the variables of its user. */
export function mcpConfig(connectors: readonly Connector[], written: (text: string) => string = (text) => text): McpConfig {
  const on = connectors.filter(({ enabled }) => enabled)
  return { mcpServers: Object.fromEntries(on.map((connector) => [connector.key, server(connector, written)])) }
}

/** Cursor writes a reference as `${env:NAME}` and has no default values: a reference with a default is replaced by it. */
export function cursorConfig(connectors: readonly Connector[]): McpConfig {
  return mcpConfig(connectors, (text) => rewrite(text, (name, other) => other ?? `\${env:${name}}`))
}

function server(
  { transport, url = '', command = '', args = [], env }: Connector,
  written: (text: string) => string,
): McpConfig['mcpServers'][string] {
  const values = env && Object.fromEntries(Object.entries(env).map(([name, value]) => [name, written(value)]))
  return transport === 'http'
    ? { type: 'http', url: written(url), ...(values && { headers: values }) }
    : { type: 'stdio', command: written(command), args: args.map(written), ...(values && { env: values }) }
}
