import { closed, defineCollection, Type } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { ATOM_KINDS } from './schema.ts'

/*
 * All but the last ones are an index of the repository: dropped, they are made anew from it. `branch` says whose atom it is: one of
 * main, or one that an open branch has and main has not.
 */

/** An atom as the index knows it; `atomId` is its branch and its path. */
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
      /** '' for memory, which is of all repos. */
      namespace: Type.String(),
      slug: Type.String(),
      topic: Type.String(),
      title: Type.String(),
      excerpt: Type.String(),
      at: Type.String(),
      /** Rises with every atom that is indexed: which of two of one moment came later. */
      seq: Type.Integer(),
      bytes: Type.Integer(),
      /** Of what the writer gave, so that an identical re-write is known. */
      digest: Type.String(),
      supersedes: Type.Optional(Type.String()),
      superseded: Type.Boolean(),
      pinned: Type.Boolean(),
      writer: Type.Optional(Type.String()),
      codeShas: Type.Array(Type.String()),
      /** `kind:name`. */
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

/** Which atoms name a commit of the code. */
export const code = defineCollection('brain.code', {
  schema: Type.Object({ codeId: Type.String(), sha: Type.String(), atomId: Type.String(), branch: Type.String() }, closed),
  key: 'codeId',
  indexes: [{ keys: { sha: 1 } }, { keys: { atomId: 1 } }, { keys: { branch: 1 } }],
})

/** Up to which commit a branch is indexed. */
export const branches = defineCollection('brain.branches', {
  schema: Type.Object({ branch: Type.String(), tip: Type.String(), layout: Type.Integer() }, closed),
  key: 'branch',
})

/** How many atoms a branch has in a namespace. */
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
    },
    closed,
  ),
  key: 'path',
  indexes: [{ keys: { slug: 1, seq: -1 } }, { keys: { seq: -1 } }],
})

/** Paths of atoms that have a marker. */
export const pins = defineCollection('brain.pins', {
  schema: Type.Object({ path: Type.String(), branch: Type.String() }, closed),
  key: 'path',
  indexes: [{ keys: { branch: 1 } }],
})

// ---------------------------------------- what is not in the repository ----

/** One document: the current branch, and the last `seq`. */
export const state = defineCollection('brain.state', {
  schema: Type.Object({ id: Type.String(), current: Type.String(), seq: Type.Integer() }, closed),
  key: 'id',
})

/** How often an atom was found, by its path. */
export const recalls = defineCollection('brain.recalls', {
  schema: Type.Object(
    { path: Type.String(), namespace: Type.String(), count: Type.Integer(), lastAt: Type.String(), arm: Type.String() },
    closed,
  ),
  key: 'path',
  indexes: [{ keys: { count: -1 } }, { keys: { namespace: 1, count: -1 } }],
})

/** Questions of a day, and those that found something; and what each arm of the retrieval showed and was thanked for. */
export const recallDays = defineCollection('brain.recall-days', {
  schema: Type.Object({ day: Type.String(), asked: Type.Integer(), answered: Type.Integer() }, closed),
  key: 'day',
})
export const arms = defineCollection('brain.arms', {
  schema: Type.Object({ arm: Type.String(), pulls: Type.Integer(), rewards: Type.Integer(), updatedAt: Type.String() }, closed),
  key: 'arm',
})

/** Routed tasks that ended on a day. */
export const routeDays = defineCollection('brain.route-days', {
  schema: Type.Object({ day: Type.String(), labeled: Type.Integer() }, closed),
  key: 'day',
})

/** What brain_health said, at most once an hour. */
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
    },
    closed,
  ),
  key: 'observationId',
})
export const rings = defineCollection('brain.rings', { schema: ringSchema, key: 'ring' })
