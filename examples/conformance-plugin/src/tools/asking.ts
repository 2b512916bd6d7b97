import { closed, defineTool, type ElicitAnswer, elicit, type SampleAnswer, sample, Type } from '@gateway/sdk'
import { form } from '../form.ts'
import { nothing, say, shown } from '../shapes.ts'

/** Tools that ask the caller’s client one question. */

const reads = { capability: 'read', effect: 'read', output: shown } as const

const sampling = defineTool({
  ...reads,
  name: 'test_sampling',
  description: 'Ask the model behind the caller. Returns its answer.',
  input: Type.Object({ prompt: Type.String({ description: 'Question to the model.' }) }, closed),
  async handle({ prompt }, _, ctx) {
    const { reply } = await ctx.client.ask({
      reply: sample({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 }),
    })
    return say(`The model said: ${textOf(reply)}`)
  },
})

const missingCapability = defineTool({
  ...reads,
  name: 'test_missing_capability',
  description: 'Ask the model behind the caller, for clients without one. Returns its answer.',
  input: nothing,
  async handle(_, __, ctx) {
    const { reply } = await ctx.client.ask({
      reply: sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Are you there?' } }], maxTokens: 10 }),
    })
    return say(`The model said: ${textOf(reply)}`)
  },
})

const elicitation = defineTool({
  ...reads,
  name: 'test_elicitation',
  description: 'Ask the person behind the caller who they are. Returns the answer.',
  input: Type.Object({ message: Type.String({ description: 'The question.' }) }, closed),
  async handle({ message }, _, ctx) {
    const properties = {
      username: { type: 'string', title: 'Name' },
      email: { type: 'string', format: 'email', title: 'Address' },
    }
    const { person } = await ctx.client.ask({ person: elicit(message, form(properties)) })
    return say(said(person))
  },
})

const streamingElicitation = defineTool({
  ...reads,
  name: 'test_streaming_elicitation',
  description: 'Ask the person behind the caller for a word. Returns the answer.',
  input: nothing,
  async handle(_, __, ctx) {
    const { word } = await ctx.client.ask({ word: elicit('One word, please.', form({ word: { type: 'string' } })) })
    return say(said(word))
  },
})

const elicitationDefaults = defineTool({
  ...reads,
  name: 'test_elicitation_sep1034_defaults',
  description: 'Ask with a form whose every field has a default. Returns what was filled in.',
  input: nothing,
  async handle(_, __, ctx) {
    const fields = {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }
    const { profile } = await ctx.client.ask({
      profile: elicit('Is this right?', { type: 'object', properties: fields }),
    })
    return say(said(profile))
  },
})

const titled = (first: string, second: string, third: string) =>
  [first, second, third].map((title, index) => ({ const: `value${index + 1}`, title }))

const elicitationEnums = defineTool({
  ...reads,
  name: 'test_elicitation_sep1330_enums',
  description: 'Ask with a form that has every kind of choice. Returns what was chosen.',
  input: nothing,
  async handle(_, __, ctx) {
    const options = ['option1', 'option2', 'option3']
    const fields = {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled('The first', 'The second', 'The third') },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled('This', 'That', 'The other') } },
    }
    const { choices } = await ctx.client.ask({
      choices: elicit('What will it be?', { type: 'object', properties: fields }),
    })
    return say(said(choices))
  },
})

const said = ({ action, content }: ElicitAnswer): string => `The answer: ${action}${content ? ` ${JSON.stringify(content)}` : ''}`

/** A model answers with one block or several; a block that is not text is named. */
export function textOf({ content }: SampleAnswer): string {
  const blocks = (Array.isArray(content) ? content : [content]) as readonly { readonly type?: string; readonly text?: string }[]
  return blocks.map(({ type, text }) => text ?? `(${type})`).join(' ')
}

export const askingTools = [sampling, missingCapability, elicitation, streamingElicitation, elicitationDefaults, elicitationEnums]
