import { closed, definePlugin, defineTool, type Plugin, Type } from '@gateway/sdk'
import { embeddings } from '../src/api.ts'
import { findLibrary } from '../src/operations/find-library.ts'

/** Folder of the model, from GATEWAY_MODEL_DIR of `npm test`. */
export const models = process.env.TEST_MODEL_DIR
const library = findLibrary()
const lacking =
  models === undefined
    ? 'needs the model, in the folder of GATEWAY_MODEL_DIR'
    : library === undefined
      ? 'needs npm run embeddings:install'
      : undefined

/** Options of a test that needs the model: skipped if it is missing. */
export const needsModel = lacking === undefined ? {} : { skip: lacking }

export const asker: Plugin = definePlugin({
  id: 'asker',
  sdk: '^1.0.0',
  description: 'Calls the service of the embeddings, for a test.',
  tools: [
    defineTool({
      name: 'embed',
      description: 'Embeds texts, for a test.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ texts: Type.Array(Type.String()), query: Type.Optional(Type.Boolean()) }, closed),
      output: Type.Unknown(),
      uses: { embeddings },
      async handle({ texts, query = false }, { embeddings }, { signal }) {
        return (await embeddings.embed(texts, { query, signal })).map((vector) => [...vector])
      },
    }),
    defineTool({
      name: 'status',
      description: 'Says how the embeddings are, for a test.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Unknown(),
      uses: { embeddings },
      handle: async (_args, { embeddings }) => embeddings.status(),
    }),
  ],
})
