import { type Adapter, type AgentReport, endedWith, type GatewayAccess, jsonLine, kept, retryAfter, stopOf } from './adapter.ts'

interface Usage {
  readonly input_tokens?: number
  readonly cached_input_tokens?: number
  readonly cache_write_input_tokens?: number
  readonly output_tokens?: number
}

/** Tokens of the cache are part of the input. */
const usageOf = ({ input, cached, written, output }: Readonly<Record<'input' | 'cached' | 'written' | 'output', number>>) => ({
  inputTokens: input - cached - written,
  cacheReadTokens: cached,
  ...(written > 0 && { cacheWriteTokens: written }),
  outputTokens: output,
})

const mcpServer = ({ mcpUrl }: GatewayAccess): readonly string[] =>
  [`url="${mcpUrl}"`, 'bearer_token_env_var="GATEWAY_API_KEY"'].flatMap((setting) => ['-c', `mcp_servers.gateway.${setting}`])

/** Codex without a terminal. Its own sandbox lets it write in the worktree; a configured sandbox of the runner encloses it. */
export const codex: Adapter = {
  env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME'],
  command: ({ agent, worktree, messageFile, gateway }) => [
    agent.command ?? 'codex',
    'exec',
    '--json',
    '--cd',
    worktree,
    '--sandbox',
    'workspace-write',
    '--output-last-message',
    messageFile,
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...(gateway === undefined ? [] : mcpServer(gateway)),
    ...(agent.args ?? []),
    '-',
  ],
  reader() {
    const report: AgentReport = { provider: 'openai', usage: {} }
    let [input, cached, written, output] = [0, 0, 0, 0]
    let error: string | undefined
    let message: string | undefined
    let completed = false
    return {
      line(text) {
        const event = jsonLine(text)
        if (event?.type === 'thread.started') report.sessionId = String(event.thread_id)
        if (event?.type === 'item.completed') {
          const item = event.item as { type?: string; text?: string } | undefined
          if (item?.type === 'agent_message') message = item.text
        }
        if (event?.type === 'turn.completed') {
          const usage = (event.usage ?? {}) as Usage
          input += usage.input_tokens ?? 0
          cached += usage.cached_input_tokens ?? 0
          written += usage.cache_write_input_tokens ?? 0
          output += usage.output_tokens ?? 0
          completed = true
        }
        if (event?.type === 'turn.failed') error = (event.error as { message?: string } | undefined)?.message ?? 'the turn failed'
        if (event?.type === 'error') error = String(event.message ?? 'error')
      },
      shown(text) {
        const event = jsonLine(text)
        if (!event) return text
        const item = event.item as { type?: string; text?: string; command?: string } | undefined
        return event.type === 'item.completed' ? (item?.text ?? (item?.command ? `→ ${item.command}` : undefined)) : undefined
      },
      report({ message: last }, exitCode) {
        const failed = exitCode !== 0 || (!completed && error !== undefined)
        const fault = failed ? (error ?? endedWith(exitCode)) : undefined
        const stop = fault === undefined ? 'end' : stopOf(fault)
        const seconds = stop === 'quota' && fault ? retryAfter(fault) : undefined
        const text = last?.trim() || message
        return {
          ...report,
          stop,
          ...(text && { text: kept(text) }),
          ...(fault !== undefined && { error: kept(fault) }),
          ...(seconds !== undefined && { retryAfterSeconds: seconds }),
          ...(completed && { usage: usageOf({ input, cached, written, output }) }),
        }
      },
    }
  },
}
