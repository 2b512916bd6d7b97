import { closed, defineTool, type Infer, rowLimit, Type } from '@gateway/sdk'
import { observations } from '../collections.ts'
import { openBranches } from '../operations/branches.ts'
import { topicsOf } from '../operations/briefs.ts'
import { viewOf } from '../operations/documents.ts'
import { vitals } from '../operations/health.ts'
import { memoryAtoms, namespacesOf } from '../operations/namespaces.ts'
import { newestSteps } from '../operations/observe.ts'
import { mostRecalled } from '../operations/recall-analytics.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { newestAtoms } from '../operations/window.ts'
import { communitiesOf } from '../rules/communities.ts'
import { gradeOf, scoreOf } from '../rules/health.ts'
import { touchesOf } from '../rules/touches.ts'
import { AtomView, CommunityView, NamespaceView, ObservationView } from '../schema.ts'
import { plain } from './brain-communities.ts'

const ATOMS = rowLimit(60, 200, 'Newest atoms')
const SECTIONS = ['entities', 'communities', 'topics', 'recall', 'health', 'observations'] as const
const NEWEST_ATOMS_EXPLORED = 800
const SHOWN = 20
const SHOWN_STEPS = 50

const output = Type.Object(
  {
    branch: Type.String(),
    main: Type.Union([Type.String(), Type.Null()]),
    namespaces: Type.Array(NamespaceView),
    memoryAtoms: Type.Integer(),
    openBranches: Type.Array(Type.String()),
    atoms: Type.Array(AtomView),
    entities: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), touches: Type.Integer(), lastAt: Type.String() }, closed)),
    ),
    communities: Type.Optional(Type.Array(CommunityView)),
    topics: Type.Optional(Type.Array(Type.String())),
    recall: Type.Optional(Type.Array(Type.Object({ path: Type.String(), title: Type.String(), recalls: Type.Integer() }, closed))),
    observations: Type.Optional(Type.Array(ObservationView, { description: 'Observed steps, newest first.' })),
    health: Type.Optional(Type.Object({ score: Type.Integer(), grade: Type.String() }, closed)),
  },
  closed,
)

export const brainExplore = defineTool({
  name: 'brain_explore',
  description:
    'A snapshot of the brain to browse: branches, namespaces, the newest atoms, and the sections you name, which cost more: entities, communities, topics, recall, health, observations (default: all). Returns the snapshot and changes nothing.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      atomLimit: ATOMS.argument,
      sections: Type.Optional(Type.Array(Type.Enum(SECTIONS), { maxItems: 20, description: 'Sections to compute; [] for none.' })),
    },
    closed,
  ),
  output,
  uses: { ...brainUses, observations },
  async handle({ atomLimit, sections = SECTIONS }, refs, ctx): Promise<Infer<typeof output>> {
    const seen = await view(refs, ctx)
    const wants = (section: (typeof SECTIONS)[number]): boolean => sections.includes(section)
    const observed = wants('observations') && { observations: await newestSteps(SHOWN_STEPS, refs) }
    if (!seen) return { branch: 'main', main: null, namespaces: [], memoryAtoms: 0, openBranches: [], atoms: [], ...observed }
    const limit = ATOMS.of(atomLimit)
    const window = await newestAtoms(refs, seen, wants('entities') || wants('communities') ? NEWEST_ATOMS_EXPLORED : limit)
    const measured = wants('health') ? await vitals(refs, ctx, seen) : undefined
    const score = measured && scoreOf(measured)
    return {
      branch: seen.current,
      main: seen.main,
      namespaces: [...(await namespacesOf(refs, seen))],
      memoryAtoms: await memoryAtoms(refs),
      openBranches: (await openBranches(refs, ctx, seen)).map(({ branch }) => branch),
      atoms: window.slice(0, limit).map(viewOf),
      ...(wants('entities') && {
        entities: touchesOf(window, undefined, () => true)
          .slice(0, SHOWN)
          .map(({ name, kind, touches }) => ({ name, kind, touches: touches.length, lastAt: touches[0]?.at ?? '' })),
      }),
      ...(wants('communities') && { communities: communitiesOf(window, 2).slice(0, SHOWN).map(plain) }),
      ...(wants('topics') && { topics: [...(await topicsOf(refs, seen))] }),
      ...(wants('recall') && {
        recall: (await mostRecalled(refs, undefined, SHOWN)).map(({ path, title, recalls }) => ({ path, title, recalls })),
      }),
      ...observed,
      ...(score !== undefined && { health: { score, grade: gradeOf(score) } }),
    }
  },
})
