import { cutText } from '@gateway/sdk'
import { readJson } from '@gateway/sdk/json'

/** Maintenance that needs no model: an op, its tool, and the tool's family. */
export const OPS = {
  reprioritize: { tool: 'tasks_update', family: 'tasks', takes: ['taskId', 'priority'] },
  health: { tool: 'health_status', family: 'health', takes: undefined },
  reindex: { tool: 'memory_reindex', family: 'memory', takes: undefined },
  'seed-schedules': { tool: 'schedules_seed', family: 'schedules', takes: undefined },
  'usage-summary': { tool: 'usage_summary', family: 'budgets', takes: undefined },
  'repo-status': { tool: 'repos_status', family: 'repos', takes: undefined },
} as const
type Op = keyof typeof OPS

/** Request of a task, or the fault of its marker. */
export type Marked = { readonly op: Op; readonly args: Readonly<Record<string, unknown>> } | { readonly fault: string }

/**
 * A line of its own: `inline: <op>`, followed by the arguments as a JSON object. No two runs of spaces are adjacent in the
 * pattern: a long run that leads to no match would be split between them in every possible way, and the gateway would stand
 * still.
 */
const MARKER = /^[ \t]*inline:[ \t]*([a-z-]+)[ \t]*(?:(\{.*\})[ \t]*)?$/im

/** The first marker in a task's title or description. */
export function markerOf(title: string, description = ''): Marked {
  const [, name, json] = MARKER.exec(title) ?? MARKER.exec(description) ?? []
  if (name === undefined) return { fault: 'It has no line “inline: <op>” in its title or description.' }
  const op = name.toLowerCase()
  if (!isOp(op)) return { fault: `There is no inline op ${op}; there are: ${Object.keys(OPS).join(', ')}.` }
  const args = parsed(json ?? '{}')
  if (args === undefined)
    return { fault: `The arguments of ${op} are no JSON object, or one that is too large: ${cutText(json ?? '', 200)}` }
  const { takes } = OPS[op]
  const foreign = takes && Object.keys(args).find((field) => !takes.includes(field as never))
  const lacking = takes?.find((field) => !Object.hasOwn(args, field))
  if (foreign !== undefined) return { fault: `${op} takes ${takes?.join(' and ')}; got ${foreign}.` }
  return lacking === undefined ? { op, args } : { fault: `${op} needs ${takes?.join(' and ')}; ${lacking} is missing.` }
}

const isOp = (name: string): name is Op => Object.hasOwn(OPS, name)

/** More than any op takes. The digest in the audit trail reads the arguments recursively and relies on a bound. */
const LIMITS = { depth: 16, values: 1_000 }

function parsed(json: string): Record<string, unknown> | undefined {
  const read = readJson(Buffer.from(json), LIMITS)
  return read.fault === undefined ? (read.value as Record<string, unknown>) : undefined
}
