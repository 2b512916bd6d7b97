import { closed, defineTool, foldCase, type Infer, ListFill, rowLimit, Type, truncated } from '@gateway/sdk'
import { namespaceOf } from '../operations/namespace-of.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { newestAtoms } from '../operations/window.ts'
import { touchesOf } from '../rules/touches.ts'
import { ENTITY_KINDS, namespaceSchema, TouchView } from '../schema.ts'

const ROWS = rowLimit(20, 200, 'Entities')
const TOUCHES = rowLimit(25, 200, 'Touches of each')
const ATOMS = rowLimit(800, 5_000, 'The newest atoms that are looked at')

const EntityView = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(ENTITY_KINDS),
    touchCount: Type.Integer({ description: 'Counted in the atoms that were examined.' }),
    firstAt: Type.String(),
    lastAt: Type.String(),
    touches: Type.Array(TouchView),
  },
  closed,
)

export const brainEntity = defineTool({
  name: 'brain_entity',
  description:
    'Repos, files, features, persons and decisions that atoms mention, and when. Returns entities with their touches, newest first; without query those that were touched last.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name.' })),
      kind: Type.Optional(Type.Enum(ENTITY_KINDS)),
      repo: Type.Optional(namespaceSchema),
      limit: ROWS.argument,
      touchLimit: TOUCHES.argument,
      atomLimit: ATOMS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      entities: Type.Array(EntityView),
      atomsScanned: Type.Integer(),
      truncated,
    },
    closed,
  ),
  uses: brainUses,
  async handle({ query, kind, repo: asked, limit, touchLimit, atomLimit }, refs, ctx) {
    const repo = await namespaceOf(refs, asked)
    const seen = await view(refs, ctx)
    if (!seen) return { entities: [], atomsScanned: 0 }
    const atoms = await newestAtoms(refs, seen, ATOMS.of(atomLimit), { namespace: repo })
    const part = query === undefined ? undefined : foldCase(query)
    const found = touchesOf(atoms, kind, (name) => part === undefined || foldCase(name).includes(part))
    // Matches of the whole name come before partial matches.
    const ranked =
      part === undefined ? found : [...found].sort((a, b) => Number(foldCase(b.name) === part) - Number(foldCase(a.name) === part))
    const fill = new ListFill<Infer<typeof EntityView>>(ROWS.of(limit))
    for (const { name, kind, touches } of ranked) {
      if (fill.isFull) break
      fill.add({
        name,
        kind,
        touchCount: touches.length,
        firstAt: touches.at(-1)?.at ?? '',
        lastAt: touches[0]?.at ?? '',
        touches: touches.slice(0, TOUCHES.of(touchLimit)).map((touch) => ({ ...touch })),
      })
    }
    return { entities: fill.rows, atomsScanned: atoms.length, ...fill.cutShort }
  },
})
