import type { Completion, ModelUsage } from '@gateway/plugin-providers/api'

/** Sums over the model calls of an invocation; the other members are those of the last call, except the time to the first token. */
export function totalOf(calls: readonly Completion[]): Omit<Completion, 'toolCalls' | 'stopReason'> {
  const first = calls[0] as Completion
  const { toolCalls: _calls, stopReason: _stop, ...last } = calls.at(-1) as Completion
  const sum = (of: (call: Completion) => number): number => calls.reduce((total, call) => total + of(call), 0)
  return {
    ...last,
    usage: usageOf(calls.map(({ usage }) => usage)),
    hops: sum(({ hops }) => hops),
    durationMs: sum(({ durationMs }) => durationMs),
    firstTokenMs: first.firstTokenMs,
  }
}

function usageOf(all: readonly ModelUsage[]): ModelUsage {
  const sum = (of: (usage: ModelUsage) => number): number => all.reduce((total, usage) => total + of(usage), 0)
  const read = sum(({ cacheReadTokens = 0 }) => cacheReadTokens)
  const written = sum(({ cacheWriteTokens = 0 }) => cacheWriteTokens)
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(read > 0 && { cacheReadTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
    estimated: all.some(({ estimated }) => estimated),
    costUsd: sum(({ costUsd }) => costUsd),
    priced: all.every(({ priced }) => priced),
  }
}
