import type { TaskFigures } from '@gateway/plugin-tasks/api'
import { defined } from '@gateway/sdk'
import type { HandoffTimes } from '../api.ts'
import { attentionOf } from '../rules/attention.ts'
import type { ComplianceChecks } from './compliance.ts'
import { frameworkTimes } from './framework-times.ts'

/** Each costs two counts and a few looks at its folder. */
export const MAX_RANKED = 1_000
const AT_ONCE = 16

interface Sources {
  readonly tasks: TaskFigures | undefined
  readonly handoffs: readonly HandoffTimes[]
  readonly checks: ComplianceChecks
}
interface Ranked {
  name: string
  attention: number
  reasons: string[]
  openTasks: number
  stuckTasks: number
  hasFramework?: boolean
  lastHandoff: string | null
}

/** The repos with what they need attention for, the neediest first, then by name. */
export async function rank(
  repos: readonly { readonly name: string; readonly folder?: string }[],
  { tasks, handoffs, checks }: Sources,
  now: Date,
  staleAfterDays: number,
): Promise<Ranked[]> {
  const names = repos.map(({ name }) => name)
  const written = await Promise.all(handoffs.map((one) => one.of(names)))
  const ranked: Ranked[] = []
  for (let from = 0; from < repos.length; from += AT_ONCE) {
    ranked.push(...(await Promise.all(repos.slice(from, from + AT_ONCE).map(look))))
  }
  return ranked.sort((a, b) => b.attention - a.attention || (a.name < b.name ? -1 : 1))

  async function look({ name, folder }: { name: string; folder?: string }): Promise<Ranked> {
    const [figures, flags, times] = await Promise.all([
      tasks?.open(name),
      folder === undefined ? undefined : checks.of(folder),
      folder === undefined ? undefined : frameworkTimes(folder),
    ])
    const { open: openTasks, stuck: stuckTasks } = figures ?? { open: 0, stuck: 0 }
    const lastHandoff = [times?.lastHandoff, ...written.map((one) => one.get(name))]
      .filter((at) => at !== undefined)
      .sort()
      .at(-1)
    const seen = flags && { exists: flags.exists, hasFramework: flags.hasFramework }
    const { attention, reasons } = attentionOf({ openTasks, stuckTasks, ...seen, ...defined({ lastHandoff }) }, now, staleAfterDays)
    return {
      name,
      attention,
      reasons: [...reasons],
      openTasks,
      stuckTasks,
      ...(flags && { hasFramework: flags.hasFramework }),
      lastHandoff: lastHandoff ?? null,
    }
  }
}
