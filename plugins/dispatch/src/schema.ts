import { MAX_ADDRESS_LENGTH } from '@gateway/plugin-mailbox/api'
import { MAX_CHILDREN, planInput } from '@gateway/plugin-swarms/api'
import { taskDraft } from '@gateway/plugin-tasks/api'
import { closed, type Infer, Type } from '@gateway/sdk'
import { MODES } from './rules/mode.ts'

export const address = (description: string) => Type.String({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH, description })

const PRIORITIES = taskDraft.properties.priority.enum
const { repo, title, assignedAgent, recommendedModel } = taskDraft.properties
const { children, childCap, consent } = planInput.properties

const priority = Type.Optional(Type.Enum(PRIORITIES, { description: 'P0 is highest.' }))
/** Like in swarm_plan, except for the default of its priority, which is that of the whole work. */
const Part = Type.Object({ ...children.items.properties, priority }, closed)
export type Part = Infer<typeof Part>

export const delegateInput = Type.Object(
  {
    from: Type.Optional(address('Your address: it gets the answer. Default: the label of your key.')),
    work: title,
    description: Type.Optional(Type.String({ maxLength: 50_000, description: 'Full description of the work.' })),
    repo: Type.Optional(repo),
    mode: Type.Optional(
      Type.Enum(MODES, {
        default: 'auto',
        description: 'auto: several children make a swarm, `to` without `repo` a mail, anything else a task.',
      }),
    ),
    to: Type.Optional(address('Who is asked, by mail.')),
    assignedAgent,
    recommendedModel,
    priority,
    children: Type.Optional(Type.Array(Part, { maxItems: MAX_CHILDREN, description: 'Parts of the work, as in swarm_plan.' })),
    childCap,
    consent,
  },
  closed,
)
export type DelegateArguments = Infer<typeof delegateInput>

/** Answer of a dispatch cycle. */
export const CycleResult = Type.Object(
  {
    dispatched: Type.Array(
      Type.Object(
        {
          taskId: Type.String(),
          title: Type.String(),
          to: Type.String(),
          messageId: Type.Optional(Type.String({ description: 'Mail that offers it.' })),
          outcome: Type.Optional(
            Type.Enum(['done', 'review', 'failed', 'deferred'], {
              type: 'string',
              description: 'Outcome of a task that its agent executed here. review: the answer was cut off; deferred: a budget is used up.',
            }),
          ),
          error: Type.Optional(Type.String({ description: 'Reason it is not done.' })),
        },
        closed,
      ),
    ),
    waitingForRunner: Type.Integer({ description: 'Claimable tasks that are left to runners, up to 10,000.' }),
    reason: Type.Optional(Type.String({ description: 'Reason nothing was dispatched, or nothing more.' })),
  },
  closed,
)
