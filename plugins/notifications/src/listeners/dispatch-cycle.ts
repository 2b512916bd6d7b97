import { dispatchCycled } from '@gateway/plugin-dispatch/api'
import { LOCAL_TENANT, on } from '@gateway/sdk'
import { send, sending } from '../operations/send.ts'
import { chatChannels } from '../rules/channels.ts'
import { cycleReport } from '../rules/cycle-report.ts'

/**
 * Sends the report of a dispatch cycle to the chat that it names. Chats belong to the operator, so cycles of other tenants are not
 * reported.
 */
export const onDispatchCycle = on(dispatchCycled, {
  uses: sending,
  async handle({ chatId, ...cycle }, refs, ctx) {
    if (chatId === undefined || ctx.tenantId !== LOCAL_TENANT) return
    const channels = chatChannels(refs.config.channels).flatMap(({ name, enabled }) => (enabled ? [name] : []))
    if (channels.length === 0) return ctx.log.warn('the report of a dispatch cycle has no chat channel to go through', { chatId })
    const note = { level: 'info', title: 'Dispatch cycle', message: cycleReport(cycle), source: 'dispatch' } as const
    await send(refs, { kind: 'message', note, channels, chatId }, ctx)
  },
})
