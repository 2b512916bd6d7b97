import { BadRequest, closed, type Infer, Type } from '@gateway/sdk'
import { lenientArguments } from '@gateway/sdk/lenient'
import { createInput, reason, SOURCES, updateInput } from '../schema.ts'

const ACTIONS = ['create', 'update', 'cancel', 'reprioritize'] as const

/**
 * An operation of a batch. A schema without combinators cannot say which fields belong to which action, so it accepts the
 * fields of all, without defaults, and `checkOperation` does the rest.
 */
export const Operation = Type.Object(
  {
    action: Type.Enum(ACTIONS, {
      description:
        'create takes the fields of tasks_create, update those of tasks_update; cancel: taskId, reason, supersededBy, operatorAuthorized; reprioritize: taskId, priority.',
    }),
    ...Type.Partial(Type.Object({ ...createInput.properties, ...updateInput.properties, source: Type.Enum(SOURCES), reason })).properties,
  },
  closed,
)
export type Operation = Infer<typeof Operation>

type Field = Exclude<keyof Operation, 'action'>
interface Fields {
  readonly needed: readonly Field[]
  readonly taken: ReadonlySet<string>
}
const fields: Readonly<Record<Operation['action'], Fields>> = {
  create: { needed: ['repo', 'title'], taken: new Set(Object.keys(createInput.properties)) },
  update: { needed: ['taskId'], taken: new Set(Object.keys(updateInput.properties)) },
  cancel: { needed: ['taskId'], taken: new Set(['taskId', 'reason', 'supersededBy', 'operatorAuthorized']) },
  reprioritize: { needed: ['taskId', 'priority'], taken: new Set(['taskId', 'priority']) },
}

/**
 * Reads an entry of a batch as leniently as the arguments of the tool that its action stands for. An empty text is left out where the action
 * does not take the field at all.
 */
export function lenientOperation(entry: unknown): unknown {
  const { action } = Object(lenientArguments(AnyAction, entry)) as { readonly action?: unknown }
  const { needed, taken } = (ACTIONS as readonly unknown[]).includes(action) ? fields[action as Operation['action']] : ANY
  const read = lenientArguments(Object.assign({ ...Operation }, { required: ['action', ...needed] }), entry)
  if (typeof read !== 'object' || read === null || Array.isArray(read) || taken.size === 0) return read
  return Object.fromEntries(Object.entries(read).filter(([name, value]) => value !== '' || name === 'action' || taken.has(name)))
}
const AnyAction = Type.Object({ action: Operation.properties.action }, { additionalProperties: true })
const ANY: Fields = { needed: [], taken: new Set() }

/** Throws BAD_REQUEST naming the first field that the action needs or does not accept. */
export function checkOperation({ action, ...given }: Operation, index: number): void {
  const { needed, taken } = fields[action]
  for (const field of needed) {
    if (String(given[field] ?? '').trim() === '') throw badField(index, field, `is missing; ${action} needs it`)
  }
  for (const field of Object.keys(given)) {
    if (!taken.has(field)) throw badField(index, field, `does not go with ${action}, which takes ${[...taken].join(', ')}`)
  }
}

function badField(index: number, name: string, what: string): Error {
  const field = `operations[${index}].${name}`
  return BadRequest({ field, message: `\`${field}\` ${what}.` })
}
