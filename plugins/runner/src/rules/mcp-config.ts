export const mcpConfig = (url: string, apiKey: string) => ({
  mcpServers: { gateway: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${apiKey}` } } },
})
