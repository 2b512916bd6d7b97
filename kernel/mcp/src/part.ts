import type { KernelPart } from '@gateway/kernel'
import { sessionRecords } from './handshake/session-records.ts'
import { paramHeaderFaults } from './stateless/param-headers.ts'
import { endAbandonedTasks, taskRecords } from './stateless/task-records.ts'

export const mcpPart: KernelPart = {
  records: [taskRecords, sessionRecords],
  operationFaults: ({ input }) => paramHeaderFaults(input),
  endAbandoned: ({ store, clock, alive }) => endAbandonedTasks(store, clock, alive),
}
