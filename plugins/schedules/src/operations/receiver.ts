import { isAddress, mailbox } from '@gateway/plugin-mailbox/api'
import { BadRequest, optional, type Resolved } from '@gateway/sdk'
import { runChannels } from '../api.ts'
import { channelOf } from './deliver.ts'

export const receiverUses = { channels: runChannels, mail: optional(mailbox) }

/** Throws BAD_REQUEST unless results can be sent to `deliverTo`: it names a channel, or is a mail address. */
export function requireReceiver(refs: Resolved<typeof receiverUses>, deliverTo: string | undefined): void {
  if (deliverTo === undefined || channelOf(refs, deliverTo)) return
  if (refs.mail && isAddress(deliverTo)) return
  throw BadRequest({
    field: 'deliverTo',
    message: `\`deliverTo\` must name an enabled notification channel${refs.mail ? ' or be a mail address' : ''}; got ${JSON.stringify(deliverTo)}.`,
  })
}
