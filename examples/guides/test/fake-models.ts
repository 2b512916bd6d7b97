import { type Completion, type ModelRequest, type Models, models } from '@gateway/plugin-providers/api'
import { definePlugin, provide } from '@gateway/sdk'

/** A plugin that stands in for the providers of models: it gives this answer, and keeps the requests. */
export function fakeModels(text: string) {
  const asked: ModelRequest[] = []
  const service: Pick<Models, 'complete'> = {
    async complete(request) {
      asked.push(request)
      return { text, toolCalls: [], stopReason: 'end' } as Partial<Completion> as Completion
    },
  }
  const plugin = definePlugin({
    id: 'fake-models',
    sdk: '^1.0.0',
    description: 'Answers in place of a vendor.',
    provides: [provide(models, { create: () => service as Models })],
  })
  return { asked, plugin }
}
