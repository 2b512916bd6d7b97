import { defined, isToolError, type Resolved, SwitchedOff, toolbox } from '@gateway/sdk'
import type { DelegateArguments, Part } from '../schema.ts'

export const delegateUses = { toolbox }
type Refs = Resolved<typeof delegateUses>

type Records = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Each goes the way of its own tool, as the caller: on the same terms, checked and audited as that tool. */
export async function planned(refs: Refs, { from, work, repo, description, childCap, consent, children = [], ...own }: DelegateArguments) {
  const shared = pick(own, 'assignedAgent', 'recommendedModel', 'priority')
  const wanted: readonly Partial<Part>[] = children.length > 0 ? children : [{ title: work, ...defined({ description }) }]
  return make(refs, 'swarm_plan', 'swarms', {
    repo,
    goal: work,
    createdBy: from,
    children: wanted.map((child) => ({ ...shared, ...child })),
    ...defined({ childCap, consent, notes: description }),
  })
}

export async function queued(refs: Refs, { from, work, repo, to, children, ...own }: DelegateArguments) {
  const only = children?.[0]
  const fields = {
    ...pick(only ?? {}, 'assignedAgent', 'recommendedModel', 'recommendedModelPreference', 'priority'),
    ...pick(own, 'assignedAgent', 'recommendedModel', 'priority'),
  }
  const notes = [`Delegated by ${from}${to === undefined ? '' : ` for ${to}`}.`, only?.notes].filter(Boolean).join('\n')
  return make(refs, 'tasks_create', 'tasks', {
    repo,
    title: work,
    ...fields,
    ...defined({ description: told(own.description, only) }),
    notes,
  })
}

export async function mailed(refs: Refs, { from, work, to, description, children }: DelegateArguments) {
  return make(refs, 'mail_send', 'mailbox', {
    to,
    from,
    kind: 'request',
    subject: work,
    ...defined({ body: told(description, children?.[0]) }),
  })
}

/** One child alone makes no swarm; what it says goes along with the work. */
function told(description: string | undefined, child: Part | undefined): string | undefined {
  const text = [description, child?.title, child?.description].filter((part) => part !== undefined).join('\n\n')
  return text === '' ? undefined : text
}

async function make({ toolbox }: Refs, tool: string, family: string, args: object): Promise<Records> {
  try {
    return (await toolbox.call(tool, args)).result as Records
  } catch (error) {
    if (!isToolError(error) || error.code !== 'UNKNOWN_TOOL') throw error
    throw SwitchedOff({ message: `This needs the tool ${tool}; switch the family ${family} on.`, setting: `plugins.${family}` })
  }
}

function pick(from: Partial<Part>, ...names: readonly (keyof Part)[]): object {
  return defined(Object.fromEntries(names.map((name) => [name, from[name]])))
}
