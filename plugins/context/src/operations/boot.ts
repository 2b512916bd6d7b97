import type { Registration, RepoClue } from '@gateway/plugin-repos/api'
import type { StateRepo, States } from '@gateway/plugin-state/api'
import { type BootSection, type CallContext, callerName, defined, type Principal, type Toolbox } from '@gateway/sdk'
import type { BootPart, BootRecall } from '../api.ts'
import { type Bundle, type Part, render } from '../rules/bundle.ts'
import { type AllowedUses, mayCall } from './allowed-tools.ts'
import { handoffNotes, handoffText } from './handoff-text.ts'
import { renderParts } from './render-parts.ts'
import { stateText } from './state-text.ts'

export interface BootUses {
  readonly states: States
  readonly parts: readonly BootPart[]
  readonly sections: readonly BootSection[]
  readonly recalls: readonly BootRecall[]
  readonly toolbox: Toolbox
  readonly roles: AllowedUses['roles']
  readonly config: { readonly partMilliseconds: number }
}
export interface Asked extends RepoClue {
  readonly budget: number
  readonly crossProject: boolean
}
export interface Booted extends Bundle {
  readonly repo: string
  readonly registered: boolean
  readonly registration?: Registration
  readonly brief: { readonly who: string; readonly state: string; readonly handoff: string; readonly next: string }
  /** Characters of everything the bundle replaces, as it would have to be read without it. */
  readonly coldCharacters: number
}

const TITLES = {
  who: 'Who and where',
  ways: 'Going deeper',
  state: 'State',
  handoff: 'Handoff',
  next: 'Next',
  others: 'Other repos',
} as const
const WORK_TO_DO_HEADING_STARTS = ['next', 'to do', 'todo', 'upcoming', 'left']
const OTHER_REPOS = 5

/** Returns everything the caller needs at the start of work in a repo, in an order that suits prompt caches. Searches nothing. */
export async function boot(asked: Asked, uses: BootUses, ctx: CallContext): Promise<Booted> {
  // Unregistered repos are valid: a session must be able to begin anywhere.
  // The session goes on with the name in the answer, which carries no remote.
  const repo = await uses.states.repo(asked, { stores: ctx.holds('work') })
  const request = { repo: repo.name, budget: asked.budget, crossProject: asked.crossProject }
  const [state, handoff, notes, others, rendered] = await Promise.all([
    stateText(repo, uses.states),
    uses.states.latestHandoff(repo.name),
    handoffNotes(repo, uses.states),
    asked.crossProject ? otherRepos(repo, uses.states) : '',
    renderParts(uses, request, ctx),
  ])
  const noted =
    [state, handoff?.content ?? '', notes]
      .map((text) => uses.states.section(text, WORK_TO_DO_HEADING_STARTS))
      .find((text) => text !== '') ?? ''
  const next = [noted, await nextTask(repo, uses, ctx), ...rendered.next.map(({ text }) => text)]
  const stable = [{ title: TITLES.who, text: whoText(repo, ctx) }, { title: TITLES.ways, text: waysText(uses, ctx) }, ...rendered.stable]
  const volatile: Part[] = [
    { title: TITLES.next, text: next.filter((text) => text !== '').join('\n') },
    { title: TITLES.handoff, text: handoffText(handoff, notes) },
    { title: TITLES.state, text: state },
    { title: TITLES.others, text: others },
    ...rendered.volatile,
  ]
  const bundle = render(`# Context of ${repo.name}`, stable, volatile, asked.budget)
  const shown = (title: string): string => bundle.texts.get(title) ?? ''
  const { who, state: stateTitle, handoff: handoffTitle, next: nextTitle } = TITLES
  return {
    ...bundle,
    repo: repo.name,
    registered: repo.registered ?? true,
    ...defined({ registration: repo.registration }),
    brief: { who: shown(who), state: shown(stateTitle), handoff: shown(handoffTitle), next: shown(nextTitle) },
    coldCharacters: [...stable, ...volatile].reduce((sum, { text }) => sum + text.length, 0),
  }
}

function whoText({ name, folder, group, isMaster, hint }: StateRepo, { principal, tenantId }: CallContext): string {
  if (principal.confinedTo !== undefined) return workText(principal, name)
  const facts = [isMaster && 'the master repo', group && `group ${group}`, folder && `folder ${folder}`].filter(Boolean)
  return `You are \`${callerName(principal)}\` (role ${principal.role}) in tenant \`${tenantId}\`, at work in \`${name}\`${facts.length > 0 ? ` (${facts.join(', ')})` : ''}.${hint === undefined ? '' : `\n${hint}`}`
}

/** The caller has a key for one piece of work: of the place it is told its work and its address, and nothing about the machine. */
function workText({ label, id, confinedTo }: Principal, repo: string): string {
  const from = confinedTo?.mail_send?.fixed.from
  const mail = from === undefined ? '' : ` Your mail address is \`${from}\`.`
  return `You work on \`${label ?? id}\` in \`${repo}\`, with a key for this work alone.${mail}`
}

/** Names only those that the caller may call. */
function waysText(uses: BootUses, ctx: CallContext): string {
  const ways = [
    ['state_read', 'the whole state file'],
    ['handoff_read', 'earlier handoffs'],
    ['state_update', 'note what changed'],
    ['handoff_write', 'hand over at the end'],
  ] as const
  const known = ways.filter(([tool]) => mayCall(tool, uses, ctx)).map(([tool, what]) => `\`${tool}\`: ${what}`)
  const search = [...new Set(uses.recalls.map(({ tool }) => tool))].filter((tool) => mayCall(tool, uses, ctx)).map((tool) => `\`${tool}\``)
  return [...known, ...(search.length > 0 ? [`to recall: ${search.join(', ')}`] : [])].join('; ')
}

/** Returns the task that the queue would hand out, if there is a queue. */
async function nextTask({ name }: StateRepo, uses: AllowedUses, ctx: CallContext): Promise<string> {
  if (!mayCall('tasks_next', uses, ctx)) return ''
  try {
    const { task } = (await uses.toolbox.call('tasks_next', { repo: name })).result as {
      task?: { taskId: string; title: string; priority: string } | null
    }
    return task ? `- task \`${task.taskId}\` (${task.priority}): ${task.title}` : ''
  } catch {
    return ''
  }
}

async function otherRepos({ name }: StateRepo, states: States): Promise<string> {
  const latest = await states.latestHandoffs(OTHER_REPOS + 1)
  const others = latest.filter((entry) => entry.repo !== name).slice(0, OTHER_REPOS)
  return others
    .map(({ repo, createdAt, summary, content }) => `- \`${repo}\` ${createdAt}: ${summary ?? content.trim().split('\n')[0]}`)
    .join('\n')
}
