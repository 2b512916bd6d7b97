import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { activation, type RecordedStep } from '../src/api.ts'
import plugin from '../src/index.ts'

export type { TestGateway }

/** Plays the family that knows of a step. */
const brain = definePlugin({
  id: 'brain',
  sdk: '^1.0.0',
  description: 'Knows of steps of a brain.',
  tools: [
    defineTool({
      name: 'brain_step',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ step: Type.String() }, closed),
      output: Type.Object({}),
      uses: { activation },
      async handle({ step }, { activation }) {
        await activation.record(step as RecordedStep)
        return {}
      },
    }),
  ],
})

const DAY = 86_400
export const member = (tenantId: string) => ({ tenantId, kind: 'user', role: 'member', id: 'ann' }) as const

export async function start() {
  const gateway = await startTestGateway({ plugins: [trash, tasks, plugin, brain] })
  return {
    gateway,
    days: (days: number): void => gateway.clock.advance(days * DAY),
    signUp: (tenantId: string) => gateway.tenants.create({ name: tenantId, plan: 'free', tenantId }),
    step: (tenantId: string, step: RecordedStep) => gateway.call('brain_step', { step }, { as: member(tenantId) }),
    /** The first task of a tenant is its init as well. */
    async ship(tenantId: string): Promise<void> {
      const { task } = await gateway.call('tasks_create', { repo: 'r', title: 't' }, { as: member(tenantId) })
      await gateway.call('tasks_update', { taskId: task.taskId, status: 'done' }, { as: member(tenantId) })
    },
    /** The caller's own journey, once init has been recorded. */
    async begun(tenantId: string): Promise<void> {
      while ((await gateway.documents(tenantId)).funnel?.some((journey) => 'init' in journey) !== true) await new Promise(setImmediate)
    },
    funnel: (args: object = {}, as?: object) => gateway.call('activation_funnel', args, as && { as }),
    [Symbol.asyncDispose]: () => gateway.stop(),
  }
}
