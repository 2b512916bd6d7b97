import { type Adapter, type AgentReport, endedWith, jsonLine, kept, retryAfter, stopOf } from './adapter.ts'

interface Answer {
  readonly response?: string
  readonly session_id?: string
  readonly error?: { readonly message?: string }
  readonly stats?: {
    readonly models?: Readonly<
      Record<string, { readonly tokens?: { readonly prompt?: number; readonly candidates?: number; readonly cached?: number } }>
    >
  }
}

/** Exit code of Gemini CLI for a reached limit of turns. */
const TURN_LIMIT = 53

/** Gemini CLI without a terminal: one JSON object at the end. */
export const gemini: Adapter = {
  env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_APPLICATION_CREDENTIALS'],
  command: ({ agent }) => [
    agent.command ?? 'gemini',
    '--output-format',
    'json',
    '--approval-mode',
    'yolo',
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...(agent.args ?? []),
  ],
  // The worktree is the runner’s own, and the program does nothing by itself in a folder that nobody trusts.
  ownEnv: ({ folder }) => ({ GEMINI_CLI_HOME: folder, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  reader() {
    // The object is printed over many lines, and a notice may come before it.
    let printed = ''
    const MAX_PRINTED = 1_000_000
    return {
      line(text) {
        if (printed.length < MAX_PRINTED) printed += `${text}\n`
      },
      shown: (text) => text,
      report(_files, exitCode) {
        const answer = jsonLine(printed.slice(Math.max(0, printed.search(/^\{/m))).trimEnd()) as Answer | undefined
        const fault = answer?.error?.message ?? (exitCode === 0 ? undefined : endedWith(exitCode))
        return reportOf(answer, fault, exitCode)
      },
    }
  },
}

function reportOf(answer: Answer | undefined, fault: string | undefined, exitCode: number): AgentReport {
  const models = Object.entries(answer?.stats?.models ?? {})
  const sum = (of: 'prompt' | 'candidates' | 'cached'): number => models.reduce((total, [, { tokens }]) => total + (tokens?.[of] ?? 0), 0)
  const stop = exitCode === TURN_LIMIT ? 'turns' : fault === undefined ? 'end' : stopOf(fault)
  const seconds = stop === 'quota' && fault ? retryAfter(fault) : undefined
  const [model] = models[0] ?? []
  return {
    provider: 'google',
    stop,
    ...(answer?.response && { text: kept(answer.response) }),
    ...(answer?.session_id && { sessionId: answer.session_id }),
    ...(fault !== undefined && { error: kept(fault) }),
    ...(model !== undefined && { model }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    usage:
      models.length === 0
        ? {}
        : { inputTokens: sum('prompt') - sum('cached'), cacheReadTokens: sum('cached'), outputTokens: sum('candidates') },
  }
}
