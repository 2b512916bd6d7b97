import { type Draft, fail } from './answer.ts'
import type { ModelToolCall, StopReason } from './messages.ts'

/** A part of a tool call: a beginning has a name, a continuation the next characters of the arguments. */
export interface ToolCallPart {
  /** Absent in wires that send each call in one piece. */
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly arguments?: string | undefined
}

/** More than any model asks for in one answer. */
const MAX_CALLS = 128

/** Adds a part to its call. A part of no known position begins a call, or continues the last one if it has no name. */
export function addToolCall({ toolCalls }: Draft, part: ToolCallPart): void {
  const last = toolCalls.at(-1)
  const isNew = part.name !== undefined && part.name !== ''
  let call = part.index === undefined ? (isNew ? undefined : last) : toolCalls.find(({ index }) => index === part.index)
  // Some servers give every call the position 0.
  if (call && isNew && call.name !== '' && part.id !== undefined && part.id !== '' && part.id !== call.id) call = undefined
  if (!call) {
    if (toolCalls.length >= MAX_CALLS) fail(`it asks for more than ${MAX_CALLS} tools`)
    call = { index: part.index ?? (last?.index ?? -1) + 1, id: '', name: '', arguments: '' }
    toolCalls.push(call)
  }
  if (call.id === '') call.id = part.id ?? ''
  if (call.name === '') call.name = part.name ?? ''
  call.arguments += part.arguments ?? ''
}

/**
 * The finished calls. A server that gives no ids, or the same twice, gets its calls told apart by their position. A tool without arguments is
 * called with an empty object, although some wires send no text for it; the last call of an answer that was cut off may lack its arguments.
 */
export function toolCallsOf({ toolCalls, stopReason }: Draft): readonly ModelToolCall[] {
  const taken = new Set<string>()
  const cut = stopReason === 'length' ? toolCalls.at(-1) : undefined
  return toolCalls.map((call, at) => {
    const id = call.id === '' || taken.has(call.id) ? `call_${at}` : call.id
    taken.add(id)
    return { id, name: call.name, arguments: call === cut ? call.arguments : argumentsOf(call.arguments) }
  })
}

/** Arguments as a provider takes them: some refuse a text that is no JSON. */
export const argumentsOf = (given: string): string => (given.trim() === '' ? '{}' : given)

/** Servers differ in how they report an answer that asks for tools; an answer that was cut off says so in any case. */
export function stopReasonOf({ toolCalls, stopReason = 'end' }: Draft): StopReason {
  if (toolCalls.length > 0) return stopReason === 'end' ? 'tools' : stopReason
  return stopReason === 'tools' ? 'end' : stopReason
}
