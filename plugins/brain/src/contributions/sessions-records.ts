import { type SessionDeed, sessionRecords } from '@gateway/plugin-sessions/api'
import { contribute } from '@gateway/sdk'
import { observations } from '../collections.ts'
import { type Observation, stepsOf } from '../operations/observe.ts'
import { brainUses } from '../operations/refs.ts'
import { sessionBranch, sessionSlug } from '../rules/session-branch.ts'

export const recordsOfBrain = contribute(sessionRecords, {
  uses: { ...brainUses, observations },
  create: (refs) => ({
    async of(sessionId, limit) {
      const [steps, own, open] = await Promise.all([
        stepsOf(sessionId, limit, refs),
        refs.atoms.find({ where: { branch: 'main', slug: sessionSlug(sessionId) }, sort: { seq: -1 }, limit: 20 }),
        refs.atoms.find({ where: { branch: sessionBranch(sessionId) }, sort: { seq: -1 }, limit: 100 }),
      ])
      return [...steps.map(stepDeed), ...[...own.items, ...open.items].map(atomDeed)]
    },
  }),
})

const stepDeed = ({ at, tool, target, exit, files, repo, observationId }: Observation): SessionDeed => ({
  at,
  kind: 'step',
  title: `${tool ?? 'step'}${exit === 'error' ? ' (failed)' : ''}`,
  text: [target, ...files.filter((file) => !isSame(file, target))].filter((text) => text !== undefined && text !== '').join('\n'),
  ...(repo !== undefined && { repo }),
  id: observationId,
})

const atomDeed = ({
  at,
  title,
  excerpt,
  namespace,
  path,
}: {
  at: string
  title: string
  excerpt: string
  namespace: string
  path: string
}): SessionDeed => ({
  at,
  kind: 'atom',
  title,
  text: excerpt,
  ...(namespace !== '' && { repo: namespace }),
  id: path,
})

/** The target of a step is often the file that it changed, with the path of its repo or without. */
const isSame = (file: string, target = ''): boolean => file === target || target.endsWith(`/${file}`) || file.endsWith(`/${target}`)
