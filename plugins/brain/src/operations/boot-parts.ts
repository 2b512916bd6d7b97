import { forPrompt } from '@gateway/plugin-memory/api'
import type { OpenSessions } from '@gateway/plugin-sessions/api'
import type { Collection } from '@gateway/sdk'
import { parseAtom } from '../rules/atom-file.ts'
import { bootLine, rankForBoot } from '../rules/boot-rank.ts'
import { within } from '../rules/compile.ts'
import { MAIN } from '../rules/names.ts'
import { openBranches } from './branches.ts'
import type { AtomDoc } from './documents.ts'
import type { Observation } from './observe.ts'
import type { Caller, Refs } from './refs.ts'
import { pendingStashes } from './stash.ts'
import { type View, view } from './view.ts'
import { newestAtoms } from './window.ts'

/** Newest atoms of a repo, and of those of no repo, that are ranked. */
const WINDOW = 100
const MAX_LINES = 40
const MAX_SESSION = 60_000
const MAX_SHOWN = 10

/** Returns the atoms of a repo, the most relevant first. The last session has a part of its own. */
export async function decisions(refs: Refs, caller: Caller, repo: string, budget: number): Promise<string> {
  const seen = await view(refs, caller)
  if (!seen) return ''
  const [atoms, last] = await Promise.all([newestAtoms(refs, seen, WINDOW, { namespace: repo }), newestSession(refs, seen, repo)])
  return ranked(
    atoms.filter(({ path }) => path !== last?.path),
    caller,
    budget,
  )
}

/** Returns the atoms that belong to no repo, the most relevant first: those of a busy repo would leave them no room. */
export async function memoryOfAllRepos(refs: Refs, caller: Caller, budget: number): Promise<string> {
  const seen = await view(refs, caller)
  return seen ? ranked(await newestAtoms(refs, seen, WINDOW, { namespace: '' }), caller, budget) : ''
}

function ranked(atoms: readonly AtomDoc[], caller: Caller, budget: number): string {
  const shown = rankForBoot(atoms, caller.now()).slice(0, MAX_LINES)
  const ours = shown.filter(({ writer }) => writer === undefined).map(bootLine)
  const writers = new Set(shown.flatMap(({ writer }) => writer ?? []))
  const theirs = shown.filter(({ writer }) => writer !== undefined).map(bootLine)
  return [
    ours.length === 0 ? '' : within(ours, budget),
    ...(theirs.length === 0 ? [] : [fromTenants(within(theirs, budget), writers)]),
  ].join('')
}

/** Atoms that other tenants wrote are data, also when the tenant itself merged them. */
function fromTenants(text: string, writers: ReadonlySet<string>): string {
  return forPrompt({ content: text.trimEnd(), origin: `tenant ${[...writers].join(', ')}`, trust: 'outside' })
}

async function newestSession(refs: Refs, { visible }: Pick<View, 'visible'>, namespace: string) {
  const pages = await Promise.all(
    visible.map((branch) => refs.atoms.find({ where: { branch, kind: 'session', namespace }, sort: { seq: -1 }, limit: 1 })),
  )
  return pages.flatMap(({ items }) => items).sort((a, b) => b.seq - a.seq)[0]
}

/** Returns the newest session atom of a repo, whole; the bundle cuts it. */
export async function lastSession(refs: Refs, caller: Caller, repo: string): Promise<string> {
  const seen = await view(refs, caller)
  const atom = seen && (await newestSession(refs, seen, repo))
  if (!atom) return ''
  const [text] = await seen.repo.blobs([atom.blob], MAX_SESSION)
  // A heading of the atom must not end the part of the bundle that holds it.
  const content = parseAtom(text ?? '').content.replace(/^(#{1,2}) +(.*)$/gm, (_, marks, title) =>
    marks === '#' ? `**${title}**` : `### ${title}`,
  )
  const body = content.replace(/\n{2,}/g, '\n')
  return `${atom.at} \`${atom.sha8}\`\n${atom.writer === undefined ? body : fromTenants(body, new Set([atom.writer]))}`
}

interface OpenRefs extends Refs {
  readonly observations: Collection<Observation>
  readonly open: OpenSessions | undefined
}

/** Lists open branches with unmerged work on the repo and pending stashes, by name: their content is not merged. */
export async function openWork(refs: OpenRefs, caller: Caller, repo: string): Promise<string> {
  const seen = await view(refs, caller)
  if (!seen) return ''
  const sessions = new Map(((await refs.open?.of(repo)) ?? []).map((session) => [session.branch, session]))
  const branches = (await openBranches(refs, caller, seen)).map(({ branch }) => branch).filter((branch) => branch !== MAIN)
  const lines: string[] = []
  for (const branch of branches) {
    if (lines.length >= MAX_SHOWN) break
    const session = sessions.get(branch)
    const atoms = await refs.atoms.count(session ? { branch } : { branch, namespace: repo }, { max: 100 })
    const steps = session ? await refs.observations.count({ session: session.sessionId }, { max: 1_000 }) : 0
    if (atoms + steps === 0) continue
    const who = session
      ? `: ${session.host}${session.machine === undefined ? '' : ` on ${session.machine}`}, last sign ${session.lastSignAt}`
      : ''
    lines.push(`- branch \`${branch}\`${who}; ${atoms} ${atoms === 1 ? 'atom' : 'atoms'} not merged${steps > 0 ? `, ${steps} steps` : ''}`)
  }
  if (lines.length > 0) lines.push('Work of a session that has ended: publish it with brain_merge and its branch.')
  const stashes = (await pendingStashes(refs, seen, 100)).filter(({ namespace }) => namespace === '' || namespace === repo)
  for (const { slug, at } of stashes.slice(0, MAX_SHOWN)) lines.push(`- stash \`${slug}\`, ${at}: take it by brain_pop`)
  return lines.join('\n')
}
