import { DAY_MS, defined } from '@gateway/sdk'
import type { AtomDoc } from './documents.ts'
import { atomId } from './documents.ts'
import type { Caller, Refs } from './refs.ts'

const NAMESPACES = 50
const HEATMAP_AGE_LIMITS_DAYS = [7, 30, 90] as const
const COUNTED = 10_000

export async function mostRecalled(refs: Refs, repo: string | undefined, limit: number) {
  const { items } = await refs.recalls.find({ ...(repo !== undefined && { where: { namespace: repo } }), sort: { count: -1 }, limit })
  const atoms = new Map((await refs.atoms.getMany(items.map(({ path }) => atomId('main', path)))).map((atom) => [atom.path, atom]))
  return items.map(({ path, namespace, count, lastAt }) => ({
    path,
    title: atoms.get(path)?.title ?? path,
    ...(namespace !== '' && { repo: namespace }),
    recalls: count,
    lastRecalledAt: lastAt,
  }))
}

/** Counts atoms on main by namespace and age. Each cell counts to ten thousand. */
export async function heatmap(refs: Refs, caller: Caller, repo: string | undefined) {
  const now = caller.now().getTime()
  const { items } = await refs.namespaces.find({
    where: { branch: 'main', ...defined({ namespace: repo }) },
    sort: { newestAt: -1 },
    limit: NAMESPACES,
  })
  const borders = HEATMAP_AGE_LIMITS_DAYS.map((days) => new Date(now - days * DAY_MS).toISOString())
  return Promise.all(
    items.map(async ({ namespace }) => {
      const within = (at: object): Promise<number> => refs.atoms.count({ branch: 'main', namespace, at } as never, { max: COUNTED })
      const [week, month, quarter] = borders as [string, string, string]
      return {
        ...(namespace !== '' && { repo: namespace }),
        under7Days: await within({ gte: week }),
        under30Days: await within({ gte: month, lt: week }),
        under90Days: await within({ gte: quarter, lt: month }),
        older: await within({ lt: quarter }),
      }
    }),
  )
}

/** Returns atoms on main that were never shown: neither pinned nor younger than `minAgeDays`, the oldest first. */
export async function deadAtoms(
  refs: Refs,
  caller: Caller,
  asked: { repo: string | undefined; limit: number; minAgeDays: number },
): Promise<readonly AtomDoc[]> {
  const before = new Date(caller.now().getTime() - asked.minAgeDays * DAY_MS).toISOString()
  const where = {
    branch: 'main',
    recalls: 0,
    pinned: false,
    at: { lt: before },
    ...defined({ namespace: asked.repo }),
  }
  return (await refs.atoms.find({ where, sort: { at: 1 }, limit: asked.limit })).items
}
