import { closed, defineCollection, Type } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { ATOM_KINDS } from './schema.ts'

/*
 * All but the last collections are an index of the repository: dropped, they are rebuilt from it. `branch` names the branch of an
 * atom:
 * main, or an open branch that has it while main has not.
 */

/** An atom in the index; `atomId` is its branch and its path. */
export const atoms = defineCollection('brain.atoms', {
  schema: Type.Object(
    {
      atomId: Type.String(),
      branch: Type.String(),
      path: Type.String(),
      sha8: Type.String(),
      blob: Type.String(),
      commit: Type.String(),
      kind: Type.Enum(ATOM_KINDS),
      /** '' for memory, which belongs to all repos. */
      namespace: Type.String(),
      slug: Type.String(),
      topic: Type.String(),
      title: Type.String(),
      excerpt: Type.String(),
      at: Type.String(),
      /** Rises with every indexed atom, and so orders two of the same moment. */
      seq: Type.Integer(),
      bytes: Type.Integer(),
      /** Digest of the writer's input, to recognise an identical re-write. */
      digest: Type.String(),
      supersedes: Type.Optional(Type.String()),
      superseded: Type.Boolean(),
      pinned: Type.Boolean(),
      writer: Type.Optional(Type.String()),
      author: Type.Optional(Type.String()),
      codeShas: Type.Array(Type.String()),
      /** Entries have the form `kind:name`. */
      entities: Type.Array(Type.String()),
      recalls: Type.Integer(),
    },
    closed,
  ),
  key: 'atomId',
  indexes: [
    { keys: { branch: 1, seq: -1 } },
    { keys: { branch: 1, namespace: 1, seq: -1 } },
    { keys: { branch: 1, namespace: 1, topic: 1, seq: -1 } },
    { keys: { branch: 1, topic: 1, seq: -1 } },
    { keys: { branch: 1, kind: 1, namespace: 1, slug: 1, seq: -1 } },
    { keys: { branch: 1, slug: 1, seq: -1 } },
    { keys: { branch: 1, namespace: 1, at: 1 } },
    { keys: { branch: 1, recalls: 1, pinned: 1, at: 1 } },
    { keys: { branch: 1, supersedes: 1 }, present: 'supersedes' },
    { keys: { sha8: 1 } },
    { keys: { commit: 1 } },
  ],
})

/** Maps commits of the code to the atoms that name them. */
export const code = defineCollection('brain.code', {
  schema: Type.Object({ codeId: Type.String(), sha: Type.String(), atomId: Type.String(), branch: Type.String() }, closed),
  key: 'codeId',
  indexes: [{ keys: { sha: 1 } }, { keys: { atomId: 1 } }, { keys: { branch: 1 } }],
})

/** The commit up to which each branch is indexed. */
export const branches = defineCollection('brain.branches', {
  schema: Type.Object({ branch: Type.String(), tip: Type.String(), layout: Type.Integer() }, closed),
  key: 'branch',
})

/** Number of atoms that a branch has in a namespace. */
export const namespaces = defineCollection('brain.namespaces', {
  schema: Type.Object(
    {
      namespaceId: Type.String(),
      branch: Type.String(),
      namespace: Type.String(),
      session: Type.Integer(),
      handoff: Type.Integer(),
      memory: Type.Integer(),
      newestAt: Type.String(),
    },
    closed,
  ),
  key: 'namespaceId',
  indexes: [{ keys: { branch: 1, newestAt: -1 } }, { keys: { namespace: 1 } }],
})

export const stashes = defineCollection('brain.stashes', {
  schema: Type.Object(
    {
      path: Type.String(),
      slug: Type.String(),
      namespace: Type.String(),
      at: Type.String(),
      seq: Type.Integer(),
      blob: Type.String(),
      /** The branch that has it; absent in an index of an earlier layout. */
      branch: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'path',
  indexes: [{ keys: { branch: 1, slug: 1, seq: -1 } }, { keys: { branch: 1, seq: -1 } }],
})

/** Paths of atoms that have a marker. */
export const pins = defineCollection('brain.pins', {
  schema: Type.Object({ path: Type.String(), branch: Type.String() }, closed),
  key: 'path',
  indexes: [{ keys: { branch: 1 } }],
})

/** A single document: the last `seq`. */
export const state = defineCollection('brain.state', {
  schema: Type.Object(
    { id: Type.String(), current: Type.Optional(Type.String({ description: 'No longer read.' })), seq: Type.Integer() },
    closed,
  ),
  key: 'id',
})

/** The branch that an MCP session chose, or else a principal. An entry of a session expires; main has none. */
export const currents = defineCollection('brain.currents', {
  schema: Type.Object({ holder: Type.String(), branch: Type.String(), at: Type.Optional(Type.String()) }, closed),
  key: 'holder',
  indexes: [{ keys: { at: 1 }, present: 'at', expireAfterSeconds: 30 * 86_400 }],
})

/** Tombstones of forgotten atoms, by their paths. Git still has their history. */
export const forgotten = defineCollection('brain.forgotten', {
  schema: Type.Object({ path: Type.String(), at: Type.String() }, closed),
  key: 'path',
})

/** Number of times each atom was found, by its path. */
export const recalls = defineCollection('brain.recalls', {
  schema: Type.Object(
    { path: Type.String(), namespace: Type.String(), count: Type.Integer(), lastAt: Type.String(), arm: Type.String() },
    closed,
  ),
  key: 'path',
  indexes: [{ keys: { count: -1 } }, { keys: { namespace: 1, count: -1 } }],
})

/** Questions per day, and those with a result; also how often each retrieval arm was shown and rewarded. */
export const recallDays = defineCollection('brain.recall-days', {
  schema: Type.Object({ day: Type.String(), asked: Type.Integer(), answered: Type.Integer() }, closed),
  key: 'day',
})
export const arms = defineCollection('brain.arms', {
  schema: Type.Object({ arm: Type.String(), pulls: Type.Integer(), rewards: Type.Integer(), updatedAt: Type.String() }, closed),
  key: 'arm',
})

/** Routed tasks that ended, per day. */
export const routeDays = defineCollection('brain.route-days', {
  schema: Type.Object({ day: Type.String(), labeled: Type.Integer() }, closed),
  key: 'day',
})

/** Results of brain_health, at most one per hour. */
export const snapshots = defineCollection('brain.snapshots', {
  schema: Type.Object({ hour: Type.String(), at: Type.String(), score: Type.Integer() }, closed),
  key: 'hour',
  indexes: [{ keys: { at: 1 }, expireAfterSeconds: 90 * 86_400 }],
})

export const observations = defineCollection('brain.observations', {
  schema: Type.Object(
    {
      observationId: Type.String(),
      at: Type.String(),
      repo: Type.Optional(Type.String()),
      session: Type.Optional(Type.String()),
      tool: Type.Optional(Type.String()),
      target: Type.Optional(Type.String()),
      exit: Type.Enum(['ok', 'error', 'unknown']),
      files: Type.Array(Type.String()),
      /** Branch that the step belongs to: main, or the one of its session. */
      branch: Type.Optional(Type.String()),
      /** Id that the sender gave to the step in its session, so that a batch that is sent again is kept once. */
      stepId: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'observationId',
  indexes: [
    { keys: { session: 1, observationId: -1 }, present: 'session' },
    { keys: { session: 1, stepId: 1 }, present: 'stepId' },
  ],
})
export const rings = defineCollection('brain.rings', { schema: ringSchema, key: 'ring' })

/** Atoms of ended sessions that a model is to condense. */
export const distillations = defineCollection('brain.distillations', {
  schema: Type.Object({ slug: Type.String(), repo: Type.String(), dueAt: Type.String(), attempts: Type.Integer() }, closed),
  key: 'slug',
  indexes: [{ keys: { dueAt: 1 } }],
})
