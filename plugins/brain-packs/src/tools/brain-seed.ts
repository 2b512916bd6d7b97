import { BrainQuotaExceeded, brain } from '@gateway/plugin-brain/api'
import { closed, defineTool, Type } from '@gateway/sdk'
import { HasHistory } from '../errors.ts'
import { findPack, packUses } from '../operations/packs.ts'
import { isMarkerOf, MARKER_TOPIC, markerOf } from '../rules/marker.ts'
import { packId, versionSchema } from '../schema.ts'

/** Maximum number of markers read; the brain answers no more. */
const MAX_MARKERS = 500

export const brainSeed = defineTool({
  name: 'brain_seed',
  description:
    'Begin your brain with a starter pack, its latest version or the one you name: its atoms are committed to main, all at once, with a marker; the same version again changes nothing. Refused once there are sessions, unless you say force. Returns {pack, version, seeded, created, commit?}.',
  capability: 'work',
  effect: 'write',
  subject: ['pack'],
  input: Type.Object(
    {
      pack: packId,
      version: Type.Optional(versionSchema),
      force: Type.Optional(Type.Boolean({ default: false, description: 'true: seed even a brain that has sessions.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      pack: Type.String(),
      version: Type.String(),
      seeded: Type.Boolean({ description: 'false when this version was seeded before.' }),
      created: Type.Integer({ description: 'Number of atoms that were new.' }),
      commit: Type.Optional(Type.String()),
    },
    closed,
  ),
  errors: [HasHistory, BrainQuotaExceeded],
  uses: { ...packUses, brain },
  async handle({ pack: id, version, force = false }, { brain, ...refs }, ctx) {
    const { pack, atoms } = await findPack(refs, id, version)
    const answer = { pack: pack.id, version: pack.version }
    const markers = await brain.atoms({ kind: 'memory', topic: MARKER_TOPIC }, MAX_MARKERS)
    if (markers.some(({ slug }) => isMarkerOf(pack, slug))) return { ...answer, seeded: false, created: 0 }
    if (!force && (await brain.atoms({ kind: 'session' }, 1)).length > 0) throw HasHistory({ pack: pack.id })
    const { commit, created } = await brain.commitMany([...atoms, markerOf(pack, atoms.length)], `seed: ${pack.id} ${pack.version}`)
    // If two callers seed at once, the second finds everything already present.
    if (commit === undefined) return { ...answer, seeded: false, created: 0 }
    ctx.audit('brain.seeded', { ...answer, commit })
    return { ...answer, seeded: true, created: created - 1, commit }
  },
})
