import { MAX_BODY_LENGTH } from '@gateway/plugin-mailbox/api'
import { MAX_DESCRIPTION_LENGTH, MAX_NOTES_LENGTH } from '@gateway/plugin-tasks/api'
import { defined, isToolError, type Resolved, SwitchedOff, toolbox } from '@gateway/sdk'
import { joinTexts, type TextField } from '../rules/join-texts.ts'
import type { DelegateArguments, Part } from '../schema.ts'

export const delegateUses = { toolbox }

type Delegation = DelegateArguments & { readonly from: string }
type Refs = Resolved<typeof delegateUses>

type Records = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Calls the respective tool as the caller: with the same rules, checks and audit. */
export async function planned(refs: Refs, { from, work, repo, description, childCap, consent, children = [], ...own }: Delegation) {
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

export async function queued(refs: Refs, { from, work, repo, to, children, ...own }: Delegation) {
  const only = children?.[0]
  const fields = {
    ...pick(only ?? {}, 'assignedAgent', 'recommendedModel', 'recommendedModelPreference', 'priority'),
    ...pick(own, 'assignedAgent', 'recommendedModel', 'priority'),
  }
  const by = `Delegated by ${from}${to === undefined ? '' : ` for ${to}`}.`
  const more = joinTexts([['children[0].notes', only?.notes]], {
    what: 'notes of the task, below who delegates it',
    max: MAX_NOTES_LENGTH - by.length - 1,
  })
  return make(refs, 'tasks_create', 'tasks', {
    repo,
    title: work,
    ...fields,
    ...defined({ description: joinTexts(saidOf(own.description, only), { what: 'description of the task', max: MAX_DESCRIPTION_LENGTH }) }),
    notes: [by, more].filter(Boolean).join('\n'),
  })
}

export async function mailed(refs: Refs, { from, work, to, description, children }: Delegation) {
  return make(refs, 'mail_send', 'mailbox', {
    to,
    from,
    kind: 'request',
    subject: work,
    ...defined({ body: joinTexts(saidOf(description, children?.[0]), { what: 'body of the mail', max: MAX_BODY_LENGTH }) }),
  })
}

/** A single child does not make a swarm; its text is added to the work. */
function saidOf(description: string | undefined, child: Part | undefined): readonly TextField[] {
  return [
    ['description', description],
    ['children[0].title', child?.title],
    ['children[0].description', child?.description],
  ]
}

async function make({ toolbox }: Refs, tool: string, family: string, args: object): Promise<Records> {
  try {
    return (await toolbox.call(tool, args)).result as Records
  } catch (error) {
    if (!isToolError(error) || error.code !== 'UNKNOWN_TOOL') throw error
    throw SwitchedOff({ message: `Delegating needs the tool ${tool}; enable the plugin ${family}.`, setting: `plugins.${family}` })
  }
}

function pick(from: Partial<Part>, ...names: readonly (keyof Part)[]): object {
  return defined(Object.fromEntries(names.map((name) => [name, from[name]])))
}
