import { type Adapter, type AgentReport, endedWith, jsonLine, kept, retryAfter, stopOf, type UsedWindow, type Windows } from './adapter.ts'

interface Result {
  readonly subtype?: string
  readonly is_error?: boolean
  readonly result?: string
  readonly errors?: readonly string[]
  readonly session_id?: string
  readonly total_cost_usd?: number
  readonly usage?: Readonly<Record<string, unknown>>
  readonly modelUsage?: Readonly<Record<string, { readonly outputTokens?: number }>>
}

/** Claude Code in print mode. It works in a worktree of its own, so it may edit files and run commands without asking. */
export const claude: Adapter = {
  env: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
  ],
  command: ({ agent, limits, sessionId, gateway }) => [
    agent.command ?? 'claude',
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'bypassPermissions',
    '--session-id',
    sessionId,
    '--max-turns',
    String(limits.turns),
    ...(limits.usd === undefined ? [] : ['--max-budget-usd', String(limits.usd)]),
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    // Servers of the user's own configuration may hold a credential of the user.
    ...(gateway === undefined ? [] : ['--mcp-config', gateway.mcpFile, '--strict-mcp-config']),
    ...(agent.args ?? []),
  ],
  reader() {
    const report: AgentReport = { provider: 'anthropic', usage: {} }
    let ended: Result | undefined
    return {
      line(text) {
        const event = jsonLine(text)
        if (event?.type === 'system' && event.subtype === 'init') {
          if (typeof event.session_id === 'string') report.sessionId = event.session_id
          if (typeof event.model === 'string') report.model = event.model
        }
        if (event?.type === 'rate_limit_event') {
          const told = (event.rate_limit_info ?? {}) as RateLimit
          report.windows = { ...report.windows, ...windowsOf(told) }
          if (told.status === 'rejected' && typeof told.resetsAt === 'number') report.resetsAt = told.resetsAt * 1_000
        }
        if (event?.type === 'result') ended = event as Result
      },
      shown(text) {
        const event = jsonLine(text)
        if (!event) return text
        if (event.type !== 'assistant') return undefined
        const { content } = (event.message ?? {}) as { content?: readonly { type: string; text?: string; name?: string }[] }
        return content
          ?.flatMap(({ type, text, name }) => (type === 'text' && text ? [text] : type === 'tool_use' && name ? [`→ ${name}`] : []))
          .join('\n')
      },
      report: (_files, exitCode) => ({ ...report, ...outcome(ended, exitCode) }),
    }
  },
}

interface RateLimit {
  readonly status?: unknown
  /** In seconds since 1970, of the quota that is used up. */
  readonly resetsAt?: unknown
  readonly unifiedWindows?: { readonly five_hour?: Utilization; readonly seven_day?: Utilization }
}
interface Utilization {
  readonly utilization?: unknown
  readonly resetsAt?: unknown
}

/** The program tells the quotas of a subscription; with an API key there are none. */
function windowsOf({ unifiedWindows: told }: RateLimit): Windows {
  const [fiveHour, weekly] = [told?.five_hour, told?.seven_day].map(windowOf)
  return { ...(fiveHour && { fiveHour }), ...(weekly && { weekly }) }
}

function windowOf(told: Utilization | undefined): UsedWindow | undefined {
  if (typeof told?.utilization !== 'number') return undefined
  const usedPct = Math.round(told.utilization * 1_000) / 10
  return { usedPct, ...(typeof told.resetsAt === 'number' && { resetsAt: told.resetsAt * 1_000 }) }
}

function outcome(ended: Result | undefined, exitCode: number): AgentReport {
  if (!ended) return { usage: {}, ...(exitCode !== 0 && { stop: 'error', error: endedWith(exitCode) }) }
  const { subtype, is_error: isError, result, errors, usage = {}, modelUsage = {}, total_cost_usd: usd } = ended
  const message = result ?? errors?.join('; ') ?? subtype ?? ''
  const number = (name: string): Record<string, number> | undefined =>
    typeof usage[name] === 'number' ? { value: usage[name] } : undefined
  const [model] = Object.entries(modelUsage).toSorted(([, a], [, b]) => (b.outputTokens ?? 0) - (a.outputTokens ?? 0))[0] ?? []
  const [input, output, read, write] = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'].map(
    (name) => number(name)?.value,
  )
  const stop = subtype === 'error_max_turns' ? 'turns' : subtype === 'error_max_budget_usd' ? 'budget' : isError ? stopOf(message) : 'end'
  const seconds = stop === 'quota' ? retryAfter(message) : undefined
  return {
    text: kept(message),
    stop,
    ...(stop !== 'end' && { error: kept(message) }),
    ...(model !== undefined && { model }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    usage: {
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
      ...(read !== undefined && { cacheReadTokens: read }),
      ...(write !== undefined && { cacheWriteTokens: write }),
      ...(usd !== undefined && { usd }),
    },
  }
}
