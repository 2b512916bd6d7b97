import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export const start = ({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [trash, tasks, plugin, ...plugins], ...options })

export async function task(gateway: TestGateway, repo: string, title: string, more: object = {}, status?: string): Promise<void> {
  const { task } = await gateway.call('tasks_create', { repo, title, ...more })
  if (status !== undefined) await gateway.call('tasks_update', { taskId: task.taskId, status })
}

const any = Type.Object({})

/** Other families: their received calls, and their answers. */
export function beside(answers: Readonly<Record<string, (args: Record<string, unknown>) => object>>) {
  const asked: { readonly name: string; readonly args: Record<string, unknown> }[] = []
  const plugin = definePlugin({
    id: 'beside',
    sdk: '^1.0.0',
    description: 'Other families.',
    tools: Object.entries(answers).map(([name, answer]) =>
      defineTool({
        name,
        description: 'Answers.',
        capability: 'work',
        effect: 'write',
        input: Type.Object({ payload: Type.Optional(any), ...fieldsOf[name] }, closed),
        output: any,
        handle: async (args) => {
          asked.push({ name, args })
          return answer(args)
        },
      }),
    ),
  })
  return { plugin, asked }
}

const text = Type.Optional(Type.String())
const fieldsOf: Readonly<Record<string, Record<string, typeof text>>> = {
  agents_invoke: { agent: text, message: text, repo: text, maxTokens: Type.Optional(Type.Number()) as unknown as typeof text },
  notifications_send: { message: text, chatId: text, title: text, source: text },
  budgets_breakdown: { from: text },
}
