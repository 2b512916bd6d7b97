import { defineTool, elicit, type InputRequest, listRoots, sample } from '@gateway/sdk'
import { confirmForm, form, nameForm } from '../form.ts'
import { nothing, say, shown } from '../shapes.ts'
import { textOf } from './asking.ts'

/**
 * Tools that ask before they answer, for clients that receive the questions as the answer and call again. The handlers need no
 * code for
 * that: each runs from its beginning until its questions are answered.
 */

const reads = { capability: 'read', effect: 'read', input: nothing, output: shown } as const

const askName = () => elicit<{ name: string }>('What is your name?', nameForm)
const askConfirmation = () => elicit<{ ok: boolean }>('Shall it go on?', confirmForm)
const askModel = (text: string) => sample({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 })

const elicitation = defineTool({
  ...reads,
  name: 'test_input_required_result_elicitation',
  description: 'Ask the person behind the caller for their name. Returns a greeting.',
  async handle(_, __, ctx) {
    const { user_name } = await ctx.client.ask({ user_name: askName() })
    return say(`Hello, ${user_name.content?.name ?? 'whoever you are'}!`)
  },
})

const sampling = defineTool({
  ...reads,
  name: 'test_input_required_result_sampling',
  description: 'Ask the model behind the caller for a capital. Returns its answer.',
  async handle(_, __, ctx) {
    const { capital_question } = await ctx.client.ask({ capital_question: askModel('Which city is the capital of France?') })
    return say(textOf(capital_question))
  },
})

const roots = defineTool({
  ...reads,
  name: 'test_input_required_result_list_roots',
  description: 'Ask the client for the folders it works in. Returns their addresses.',
  async handle(_, __, ctx) {
    const { client_roots } = await ctx.client.ask({ client_roots: listRoots() })
    return say(client_roots.roots.map(({ uri }) => uri).join('\n') || 'No folders.')
  },
})

const requestState = defineTool({
  ...reads,
  name: 'test_input_required_result_request_state',
  description: 'Ask for a confirmation, which comes back with the state that the gateway sealed. Returns the answer.',
  async handle(_, __, ctx) {
    const { confirm } = await ctx.client.ask({ confirm: askConfirmation() })
    return say(`state-ok: ${confirm.content?.ok ?? confirm.action}`)
  },
})

const tamperedState = defineTool({
  ...reads,
  name: 'test_input_required_result_tampered_state',
  description: 'Ask for a confirmation, for clients that change the sealed state. Returns the answer.',
  async handle(_, __, ctx) {
    const { confirm } = await ctx.client.ask({ confirm: askConfirmation() })
    return say(`The seal held: ${confirm.content?.ok ?? confirm.action}`)
  },
})

const multipleInputs = defineTool({
  ...reads,
  name: 'test_input_required_result_multiple_inputs',
  description: 'Ask the person, the model and the client at once. Returns the three answers.',
  async handle(_, __, ctx) {
    const { user_name, greeting, client_roots } = await ctx.client.ask({
      user_name: askName(),
      greeting: askModel('Greet someone.'),
      client_roots: listRoots(),
    })
    return say(`${textOf(greeting)} ${user_name.content?.name ?? 'Nobody'} works in ${client_roots.roots.length} folders.`)
  },
})

const multiRound = defineTool({
  ...reads,
  name: 'test_input_required_result_multi_round',
  description: 'Ask one question, and with its answer another. Returns both answers.',
  async handle(_, __, ctx) {
    const { step1 } = await ctx.client.ask({ step1: askName() })
    const name = step1.content?.name ?? 'whoever you are'
    const { step2 } = await ctx.client.ask({
      step2: elicit<{ color: string }>(`Which colour do you like, ${name}?`, form({ color: { type: 'string' } })),
    })
    return say(`${name} likes ${step2.content?.color ?? 'no colour'}.`)
  },
})

const capabilities = defineTool({
  ...reads,
  name: 'test_input_required_result_capabilities',
  description: 'Ask only the parties that the client can reach. Returns who answered.',
  async handle(_, __, ctx) {
    const asked: Record<string, InputRequest> = {}
    if (ctx.client.can('elicitation')) asked.person = askName()
    if (ctx.client.can('sampling')) asked.model = askModel('Are you there?')
    if (Object.keys(asked).length === 0) return say('There is nobody to ask.')
    return say(`Answers came from: ${Object.keys(await ctx.client.ask(asked)).join(', ')}.`)
  },
})

export const roundTools = [elicitation, sampling, roots, requestState, tamperedState, multipleInputs, multiRound, capabilities]
