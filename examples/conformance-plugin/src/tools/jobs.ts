import { setTimeout as pause } from 'node:timers/promises'
import { type CallContext, closed, defineError, defineTool, elicit, Type } from '@gateway/sdk'
import { form, nameForm } from '../form.ts'
import { nothing, say, shown } from '../shapes.ts'

/** Long-running tools: they release the caller if its client can return for the answer. */

const works = { capability: 'work', effect: 'write', output: shown } as const

const seconds = (n: number, { signal }: CallContext) => pause(n * 1000, undefined, { signal })

const reconnection = defineTool({
  ...works,
  name: 'test_reconnection',
  description: 'Close the caller’s stream in the middle of the work. Returns a sentence to clients that reconnect.',
  input: nothing,
  async handle(_, __, ctx) {
    await ctx.client.detach()
    await seconds(0.3, ctx)
    return say('You came back.')
  },
})

const slowCompute = defineTool({
  ...works,
  name: 'slow_compute',
  description: 'Work for some seconds. Returns a sentence at the end.',
  input: Type.Object(
    {
      seconds: Type.Number({ minimum: 0, maximum: 600, description: 'Duration in seconds.' }),
      label: Type.Optional(Type.String({ maxLength: 100, description: 'Name of the work.' })),
    },
    closed,
  ),
  async handle({ seconds: n, label = 'the work' }, _, ctx) {
    if (n > 0) await ctx.client.detach()
    await seconds(n, ctx)
    return say(`It took ${n} seconds: ${label}.`)
  },
})

const JobFailed = defineError('CONFORMANCE_JOB_FAILED', {
  status: 422,
  description: 'The work always fails, to show how the refusal of a task reaches a client.',
  details: Type.Object({}),
  message: () => 'The work failed, as it was meant to.',
})

const failingJob = defineTool({
  ...works,
  name: 'failing_job',
  description: 'Work for a second, for clients that can reconnect, and fail. Returns nothing.',
  input: nothing,
  errors: [JobFailed],
  async handle(_, __, ctx) {
    await ctx.client.detach({ required: true })
    await seconds(1, ctx)
    throw JobFailed({})
  },
})

const protocolErrorJob = defineTool({
  ...works,
  name: 'protocol_error_job',
  description: 'Detaches the caller and then fails with an error that a tool must not throw. Returns nothing.',
  input: nothing,
  async handle(_, __, ctx) {
    await ctx.client.detach()
    throw new Error('An error that the tool does not declare.')
  },
})

const confirmDelete = defineTool({
  ...works,
  name: 'confirm_delete',
  description: 'Ask whether a file may be deleted, while the caller is away. Returns the decision; no file is touched.',
  input: Type.Object({ filename: Type.String({ maxLength: 200, description: 'The file.' }) }, closed),
  async handle({ filename }, _, ctx) {
    await ctx.client.detach()
    const { confirm } = await ctx.client.ask({
      confirm: elicit<{ confirm: boolean }>(`Delete ${filename}?`, form({ confirm: { type: 'boolean' } })),
    })
    return say(confirm.content?.confirm ? `${filename} may go.` : `${filename} stays.`)
  },
})

const multiInput = defineTool({
  ...works,
  name: 'multi_input',
  description: 'Ask two questions at once, while the caller is away. Returns both answers.',
  input: nothing,
  async handle(_, __, ctx) {
    await ctx.client.detach()
    const { name, confirm } = await ctx.client.ask({
      name: elicit<{ name: string }>('What is your name?', nameForm),
      confirm: elicit<{ confirm: boolean }>('Is that so?', form({ confirm: { type: 'boolean' } })),
    })
    return say(`${name.content?.name ?? name.action}: ${confirm.content?.confirm ?? confirm.action}`)
  },
})

const askThenWork = defineTool({
  ...works,
  name: 'test_tool_with_task',
  description: 'Ask for a name, then close the caller’s stream and work. Returns a greeting.',
  input: nothing,
  async handle(_, __, ctx) {
    const { user_name } = await ctx.client.ask({ user_name: elicit<{ name: string }>('What is your name?', nameForm) })
    await ctx.client.detach()
    await seconds(0.1, ctx)
    return say(`Hello, ${user_name.content?.name ?? 'whoever you are'}!`)
  },
})

export const jobTools = [reconnection, slowCompute, failingJob, protocolErrorJob, confirmDelete, multiInput, askThenWork]
