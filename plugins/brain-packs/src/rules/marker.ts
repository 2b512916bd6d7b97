import type { AtomDraft } from '@gateway/plugin-brain/api'

/** Topic of the atoms that record which pack a brain was seeded with. */
export const MARKER_TOPIC = 'brain-seed'

interface Seeded {
  readonly id: string
  readonly version: string
}

const slugOf = ({ id, version }: Seeded): string => `seed-${id}-${version}`

/** Identical for the same version, so that seeding it again finds the marker. */
export function markerOf(pack: Seeded, atoms: number): AtomDraft {
  const content = `# Seeded with ${pack.id} ${pack.version}\n\nThis brain began with the starter pack ${pack.id} ${pack.version}: ${atoms} atoms.\n`
  return { kind: 'memory', slug: slugOf(pack), topic: MARKER_TOPIC, content }
}

export function readMarker(slug: string): Seeded | undefined {
  const [, id, version] = /^seed-(.+)-(\d+\.\d+\.\d+)$/.exec(slug) ?? []
  return id === undefined || version === undefined ? undefined : { id, version }
}

export const isMarkerOf = (pack: Seeded, slug: string): boolean => slugOf(pack) === slug
