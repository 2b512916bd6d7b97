import { type Adapter, type AgentReport, endedWith, kept, type Reader, type Stop } from './adapter.ts'

const STOPS: readonly string[] = ['end', 'turns', 'budget', 'auth', 'quota', 'error'] satisfies readonly Stop[]

const PULL_REQUEST = /^https?:\/\/\S{1,1900}$/

/** Any command. It may write `key=value` lines into the file that GATEWAY_RESULT_FILE names; otherwise its exit code decides. */
export const shell: Adapter = {
  env: [],
  command: ({ agent }) => ['sh', '-c', agent.command ?? 'true', 'agent', ...(agent.args ?? [])],
  reader: shellReader,
}

/** Runs the description of the task as a shell script, for tests and demonstrations. */
export const scripted: Adapter = {
  env: [],
  command: ({ task }) => ['sh', '-c', task.description ?? 'true'],
  reader: shellReader,
}

function shellReader(): Reader {
  let last = ''
  return {
    line(text) {
      if (text.trim() !== '') last = text
    },
    shown: (text) => text,
    report: ({ result = '' }, exitCode) => {
      const values = Object.fromEntries([...result.matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key, value]) => [key, value]))
      return reportOf(values as Record<string, string>, last, exitCode)
    },
  }
}

function reportOf(values: Readonly<Record<string, string>>, last: string, exitCode: number): AgentReport {
  const { summary, error, stop: named, model, provider, sessionId, prUrl } = values
  const numbers = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'usd'] as const
  const usage = Object.fromEntries(numbers.flatMap((name) => (Number(values[name]) >= 0 ? [[name, Number(values[name])]] : [])))
  const stop = STOPS.includes(named ?? '') ? (named as Stop) : exitCode === 0 ? 'end' : 'error'
  const seconds = Number(values.retryAfterSeconds)
  return {
    text: kept(summary ?? last),
    stop,
    ...(stop !== 'end' && { error: kept(error ?? ended(stop, last, exitCode)) }),
    ...(model && { model }),
    ...(provider && { provider }),
    ...(sessionId && { sessionId }),
    ...(prUrl && PULL_REQUEST.test(prUrl) && { prUrl }),
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
    usage,
  }
}

function ended(stop: Stop, last: string, exitCode: number): string {
  if (last === '') return endedWith(exitCode)
  return stop === 'error' && exitCode !== 0 ? `${endedWith(exitCode)}: ${last}` : last
}
