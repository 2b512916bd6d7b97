import { bootPart } from '@gateway/plugin-context/api'
import { attributed, contribute, cutText } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { isAddress, parseAddress } from '../rules/address.ts'

/** Counting stops here: beyond it only “many” matters. */
const COUNT_UP_TO = 100
/** The subject was written by others, so it is quoted and cut. */
const SUBJECT = 80

export const mailAtBoot = contribute(bootPart, {
  uses: { messages },
  create: ({ messages }, ctx) => ({
    title: 'Mail of the repo',
    order: 20,
    place: 'next' as const,
    async render({ repo }) {
      // A key for one piece of work reads its own mail alone.
      if (!isAddress(repo) || ctx.principal.confinedTo !== undefined) return ''
      const to = parseAddress('to', repo)
      const where = { to, acked: false }
      const [unread, { items }] = await Promise.all([
        messages.count(where, { max: COUNT_UP_TO }),
        messages.find({ where, sort: { createdAt: -1 }, limit: 1 }),
      ])
      const [newest] = items
      if (!newest) return ''
      const count = unread === COUNT_UP_TO ? `${COUNT_UP_TO} or more` : String(unread)
      const about = newest.subject === '' ? '' : ` about ${JSON.stringify(cutText(newest.subject, SUBJECT))}`
      return `- unread mail for \`${to}\`: ${count}, the newest of kind ${newest.kind} from \`${attributed(newest.from, newest.fromPrincipal)}\`${about}; \`mail_inbox\` {"to": "${to}"}`
    },
  }),
})
