import { atomically, closed, defineTool, principalName, Type } from '@gateway/sdk'
import { machines } from '../collections.ts'
import { address, capabilities, holder, Machine, machine } from '../schema.ts'

export const runnerHeartbeat = defineTool({
  name: 'runner_heartbeat',
  description:
    'Report that a runner machine is up and alive: once each time a runner fires. Its address and capabilities are registered with it; omitted ones stay as they were. Returns {runner}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/runners/:machine/heartbeat',
  input: Type.Object(
    { machine, holder: Type.Optional(holder), address: Type.Optional(address), capabilities: Type.Optional(capabilities) },
    closed,
  ),
  output: Type.Object({ runner: Machine }, closed),
  uses: { machines, atomically },
  handle: ({ machine, ...given }, { machines, atomically }, { principal }) =>
    atomically(async (tx) => {
      const at = tx.now.toISOString()
      const holder = given.holder ?? principal.label
      const registered = { ...given, ...(holder !== undefined && { holder, holderPrincipal: principalName(principal) }) }
      const first = { machine, ...registered, firstHeartbeatAt: at, lastHeartbeatAt: at } as Machine
      return { runner: await machines.in(tx).upsert(first, { set: { ...registered, lastHeartbeatAt: at } }) }
    }),
})
