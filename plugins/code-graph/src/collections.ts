import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { LEVELS } from './rules/risk.ts'

/** A repo that has not been queried for this long is read again. */
const KEPT_SECONDS = 90 * 86_400

/**
 * The known facts of a repo's files, in parts. Each part is packed, so that a graph of ten thousand files is a few dozen small
 * documents, and is valid only for files whose content has the hash it names.
 */
export const shards = defineCollection('code-graph.shards', {
  schema: Type.Object(
    { shardId: Type.String(), repo: Type.String(), number: Type.Integer(), data: Type.String(), updatedAt: Type.String() },
    closed,
  ),
  key: 'shardId',
  indexes: [{ keys: { repo: 1, number: 1 } }, { keys: { updatedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
})

/** Open pull requests that code hosting has reported, with their risk. One that nothing is heard of for 90 days is forgotten. */
export const pulls = defineCollection('code-graph.pulls', {
  schema: Type.Object(
    {
      url: Type.String(),
      repo: Type.String(),
      number: Type.Integer(),
      title: Type.String(),
      branch: Type.String(),
      base: Type.String(),
      commit: Type.Optional(Type.String()),
      openedAt: Type.String(),
      updatedAt: Type.String(),
      /** Set while its risk is not known. */
      nextTryAt: Type.Optional(Type.String()),
      attempts: Type.Integer(),
      risk: Type.Optional(Type.Number()),
      level: Type.Optional(Type.Enum(LEVELS)),
      /** Names of checks of its latest commit that have failed. */
      failing: Type.Array(Type.String()),
    },
    closed,
  ),
  key: 'url',
  indexes: [
    { keys: { nextTryAt: 1 }, present: 'nextTryAt', acrossTenants: true },
    { keys: { openedAt: -1 } },
    { keys: { repo: 1, openedAt: 1 } },
    { keys: { updatedAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
})
export type Pull = Infer<(typeof pulls)['schema']>

/** Repos that were pushed to and whose graph is to be read again. */
export const refreshes = defineCollection('code-graph.refreshes', {
  schema: Type.Object({ repo: Type.String(), commit: Type.String(), nextTryAt: Type.String(), attempts: Type.Integer() }, closed),
  key: 'repo',
  indexes: [{ keys: { nextTryAt: 1 }, acrossTenants: true }],
})
export type Refresh = Infer<(typeof refreshes)['schema']>
