import { definePrompt, elicit } from '@gateway/sdk'
import { form } from './form.ts'
import { png } from './media.ts'

const simple = definePrompt({
  name: 'test_simple_prompt',
  description: 'A prompt without arguments.',
  render: async () => [{ role: 'user', text: 'Say something simple.' }],
})

const withArguments = definePrompt({
  name: 'test_prompt_with_arguments',
  description: 'A prompt that repeats its two arguments.',
  arguments: [
    { name: 'arg1', description: 'Any text; completion offers some.', required: true },
    { name: 'arg2', description: 'Any text.', required: true },
  ],
  render: async ({ arg1, arg2 }) => [{ role: 'user', text: `The first is '${arg1}', the second '${arg2}'.` }],
  complete: { arg1: async (typed) => ['testValue1', 'testValue2', 'other'].filter((value) => value.startsWith(typed)) },
})

const withResource = definePrompt({
  name: 'test_prompt_with_embedded_resource',
  description: 'A prompt that includes a resource.',
  arguments: [{ name: 'resourceUri', description: 'URI of the resource.', required: true }],
  render: async ({ resourceUri = '' }) => [
    {
      role: 'user',
      content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'A text that came with the prompt.' } },
    },
    { role: 'user', text: 'Read what came with this.' },
  ],
})

const withImage = definePrompt({
  name: 'test_prompt_with_image',
  description: 'A prompt that includes a picture.',
  render: async () => [
    { role: 'user', content: png },
    { role: 'user', text: 'Look at the picture.' },
  ],
})

const asking = definePrompt({
  name: 'test_input_required_result_prompt',
  description: 'A prompt that asks for its context first.',
  async render(_, __, ctx) {
    const { user_context } = await ctx.client.ask({
      user_context: elicit<{ context: string }>('In which context?', form({ context: { type: 'string' } })),
    })
    return [{ role: 'user', text: `The context: ${user_context.content?.context ?? 'none was given'}.` }]
  },
})

export const prompts = [simple, withArguments, withResource, withImage, asking]
