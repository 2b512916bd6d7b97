import { BadRequest, cutText, SwitchedOff } from '@gateway/sdk'
import { placeOfRounded, readJson } from '@gateway/sdk/json'
import type { ScheduleRunner, ToolCall } from '../api.ts'
import type { Schedule } from '../schema.ts'

export type Order = Pick<Schedule, 'kind' | 'target' | 'message' | 'repo' | 'includeMemoryContext'>

/** Throws BAD_REQUEST for members that do not fit the kind, and for arguments of a tool that are not a JSON object. */
export function checkOrder({ kind, message, repo, includeMemoryContext }: Order): void {
  if (kind === 'agent') {
    if (!includeMemoryContext || repo !== undefined) return
    throw BadRequest({
      field: 'repo',
      message: '`repo` is required with `includeMemoryContext`, because memory is kept by repo; got none.',
    })
  }
  if (repo !== undefined) throw agentsOnly('repo', kind, JSON.stringify(repo))
  if (includeMemoryContext) throw agentsOnly('includeMemoryContext', kind, 'true')
  if (kind === 'tool') argumentsOf(message)
}

function agentsOnly(field: string, kind: string, got: string): Error {
  return BadRequest({ field, message: `\`${field}\` is only allowed with kind agent; got ${got} with kind ${kind}.` })
}

/** Returns the call that runs it. Throws SWITCHED_OFF when no runner for schedules of its kind exists. */
export function toolCallOf(order: Order, runners: readonly ScheduleRunner[]): ToolCall {
  const { kind, target, message } = order
  if (kind === 'tool') return { tool: target, args: argumentsOf(message) }
  const runner = runners.find((one) => one.kind === kind)
  if (runner) return runner.call(order)
  throw SwitchedOff({
    message: `Schedules of kind ${kind} need the plugin ${kind}s, which is not enabled here.`,
  })
}

/**
 * The same limits as for the body of a call: validators, and the digest in the audit trail, read the arguments recursively and
 * rely on them.
 */
const LIMITS = { depth: 100, values: 20_000 }

const BOUNDS: Readonly<Record<string, string>> = {
  depth: ` of at most ${LIMITS.depth} levels`,
  values: ` of at most ${LIMITS.values} names and values`,
  number: ', each number one that a double can hold',
  rounded: ', each integer one that a double holds exactly',
  surrogate: ', without half of a surrogate pair',
}

function argumentsOf(message = '{}'): object {
  const read = readJson(Buffer.from(message), LIMITS)
  const fault = read.fault === undefined && placeOfRounded(read) !== undefined ? 'rounded' : read.fault
  const args = read.fault === undefined && fault === undefined ? read.value : undefined
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args
  const got = message.length > 200 ? `${cutText(message, 200)}…` : message
  throw BadRequest({
    field: 'message',
    message: `\`message\` of kind tool must be a JSON object${BOUNDS[fault ?? ''] ?? ''}, the arguments of the tool; got ${JSON.stringify(got)}.`,
  })
}
