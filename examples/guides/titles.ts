import { modelErrors, models } from '@gateway/plugin-providers/api'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'

const suggest = defineTool({
  name: 'title_suggest',
  description: 'Ask a model for a title of a text. Returns the title.',
  capability: 'work',
  effect: 'read',
  openWorld: true,
  input: Type.Object({ text: Type.String({ maxLength: 10_000, description: 'The text, in any language.' }) }, closed),
  output: Type.Object({ title: Type.String() }),
  errors: modelErrors,
  uses: { models },
  async handle({ text }, { models }) {
    const system = 'Answer with a title of at most eight words for the text.'
    const answer = await models.complete({ system, messages: [{ role: 'user', content: text }], tier: 'budget', maxTokens: 50 })
    return { title: answer.text.trim() }
  },
})

export default definePlugin({ id: 'titles', sdk: '^1.0.0', description: 'Suggests titles for texts.', tools: [suggest] })
