import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { artifacts, contents } from '../collections.ts'
import { unpack } from '../rules/pack.ts'
import { artifactSchema } from '../schema.ts'

/** No tool reads a content back; people who look at a task do. */
export const readArtifact = defineRoute({
  name: 'artifacts.read',
  description: 'Read an artifact. Returns its metadata and content.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/artifacts/:artifactId',
  input: Type.Object({ artifactId: Type.String({ minLength: 1, maxLength: 200, description: 'Prefix art-.' }) }, closed),
  output: Type.Object({ artifact: artifactSchema, content: Type.String() }, closed),
  uses: { artifacts, contents },
  async handle({ artifactId }, { artifacts, contents }) {
    const [artifact, content] = await Promise.all([artifacts.get(artifactId), contents.get(artifactId)])
    if (!artifact || !content) throw NotFound({ what: 'artifact', id: artifactId })
    return { artifact, content: await unpack(content.gzip) }
  },
})
