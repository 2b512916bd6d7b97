import { closed, defineTool, foldCase, rowLimit, Type } from '@gateway/sdk'
import { namespaceOf } from '../operations/namespace-of.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { newestAtoms } from '../operations/window.ts'
import { timeOf } from '../rules/paths.ts'
import { checkStamp } from '../rules/stamp.ts'
import { touchesOf } from '../rules/touches.ts'
import { ENTITY_KINDS, namespaceSchema, TouchView } from '../schema.ts'

const ROWS = rowLimit(40, 500, 'Touches')
const ATOMS = rowLimit(800, 5_000, 'The newest atoms that are looked at')

export const brainTimeline = defineTool({
  name: 'brain_timeline',
  description:
    'When an entity was mentioned, newest first: a repo, file, feature, person or decision. Returns touches, with the first and the last of those examined.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      entity: Type.String({ minLength: 1, maxLength: 200, description: 'Full name in any case; if none matches, part of a name.' }),
      kind: Type.Optional(Type.Enum(ENTITY_KINDS)),
      repo: Type.Optional(namespaceSchema),
      since: Type.Optional(Type.String({ pattern: '^\\d{8}T\\d{6}Z$', description: 'UTC, YYYYMMDDTHHMMSSZ.' })),
      limit: ROWS.argument,
      atomLimit: ATOMS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      entity: Type.String(),
      touches: Type.Array(TouchView),
      touchCount: Type.Integer(),
      firstTouched: Type.Optional(Type.String()),
      lastTouched: Type.Optional(Type.String()),
    },
    closed,
  ),
  uses: brainUses,
  check: ({ since }) => checkStamp(since),
  async handle({ entity, kind, repo: wanted, since, limit, atomLimit }, refs, ctx) {
    const repo = await namespaceOf(refs, wanted)
    const seen = await view(refs, ctx)
    if (!seen) return { entity, touches: [], touchCount: 0 }
    const atoms = await newestAtoms(refs, seen, ATOMS.of(atomLimit), {
      namespace: repo,
      ...(since !== undefined && { since: timeOf(since) }),
    })
    const asked = foldCase(entity)
    const whole = touchesOf(atoms, kind, (name) => foldCase(name) === asked)
    const found = whole.length > 0 ? whole : touchesOf(atoms, kind, (name) => foldCase(name).includes(asked))
    // An atom that names an entity in several ways touches it once.
    const touches = [...new Map(found.flatMap((one) => one.touches).map((touch) => [touch.path, touch])).values()].sort((a, b) =>
      a.at < b.at ? 1 : a.at > b.at ? -1 : 0,
    )
    const [last, first] = [touches[0], touches.at(-1)]
    return {
      entity,
      touches: touches.slice(0, ROWS.of(limit)),
      touchCount: touches.length,
      ...(first && last && { firstTouched: first.at, lastTouched: last.at }),
    }
  },
})
