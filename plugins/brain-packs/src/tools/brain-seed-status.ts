import { brain } from '@gateway/plugin-brain/api'
import { closed, defineTool, Type } from '@gateway/sdk'
import { MARKER_TOPIC, readMarker } from '../rules/marker.ts'

const MAX_MARKERS = 500

export const brainSeedStatus = defineTool({
  name: 'brain_seed_status',
  description: 'See which starter packs your brain was seeded with, newest first. Returns {seeded}: id, version and when.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      seeded: Type.Array(
        Type.Object({ id: Type.String(), version: Type.String(), seededAt: Type.String({ description: 'ISO 8601.' }) }, closed),
      ),
    },
    closed,
  ),
  uses: { brain },
  async handle(_args, { brain }) {
    const markers = await brain.atoms({ kind: 'memory', topic: MARKER_TOPIC }, MAX_MARKERS)
    return {
      seeded: markers.flatMap(({ slug, at }) => {
        const pack = readMarker(slug)
        return pack ? [{ ...pack, seededAt: at }] : []
      }),
    }
  },
})
